"""A CSV file to which rows are appended, and which knows its rows."""
import csv


class Table:
    def __init__(self, path, columns, key):
        """`key`: the columns that identify a case."""
        self.path, self.columns, self.key = path, columns, key
        self.seen = set()
        if path.exists():
            with path.open(newline="") as file:
                for row in csv.DictReader(file):
                    self.seen.add(tuple(row[name] for name in key))

    def has(self, case):
        return self.key_of(case) in self.seen

    def key_of(self, case):
        return tuple(text(case[name]) for name in self.key)

    def add(self, case, measured):
        row = {**case, **measured}
        is_new = not self.path.exists()
        with self.path.open("a", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if is_new:
                writer.writerow(self.columns)
            writer.writerow([text(row[name]) for name in self.columns])
        self.seen.add(self.key_of(case))


def text(value):
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
