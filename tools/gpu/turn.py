"""Exclusive use of the GPU by one of two processes, so that one compiles while the other measures."""
import fcntl
import time


class Turn:
    """Held while a case is measured; given up while it is compiled, which needs the host only."""

    def __init__(self, path):
        self.file = path.open("w")
        self.is_compiling = False

    def __enter__(self):
        fcntl.flock(self.file, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_):
        fcntl.flock(self.file, fcntl.LOCK_UN)
        time.sleep(1e-3)  # lets the other process take it

    def give_while_compiling(self):
        from torch._dynamo.callback import CallbackTrigger, callback_handler

        def start(arguments):
            if arguments.callback_trigger in (CallbackTrigger.DYNAMO, CallbackTrigger.LAZY_BACKWARD):
                self.is_compiling = True
                self.__exit__()

        def end(_):
            if self.is_compiling:
                self.is_compiling = False
                self.__enter__()

        callback_handler.register_start_callback(start)
        callback_handler.register_end_callback(end)
