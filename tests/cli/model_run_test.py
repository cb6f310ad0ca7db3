#!/usr/bin/python3
"""`cairn run MODEL --device D --devices N`: a language model without a design file."""
import unittest

from program import CliTest

DEVICE = ("--device", "h100", "--devices", "64")
STRATEGY = (*DEVICE, "--strategy", "tp4-pp4-dp4")


class ModelRunTest(CliTest):
    def test_rates_follow_from_the_step_and_the_model(self):
        step = self.succeed_json("run", "llama-3.1-8b", *STRATEGY, "--global-batch", "64")
        model = self.succeed_json("model", "llama-3.1-8b")

        tokens = 64 * 8192
        rate = tokens / step["step_time_s"] / 64
        self.assertEqual(step["tokens"], tokens)
        self.assertAlmostEqual(step["tokens_per_s"] / (tokens / step["step_time_s"]), 1.0, 9)
        self.assertAlmostEqual(step["tokens_per_s_per_device"] / rate, 1.0, 9)
        for key, flops in (("tflops_per_device", "flops_per_token"),
                           ("tflops_per_device_not_causal", "flops_per_token_not_causal")):
            self.assertAlmostEqual(step[key] * 1e12 / (rate * model[flops]), 1.0, 9)
        peak = step["tflops_per_device"] / step["mfu"]
        self.assertAlmostEqual(peak, 989.4, delta=0.5)  # of the data sheet

    def test_what_was_not_given_is_printed(self):
        text = self.succeed("run", "llama-3.1-8b", *DEVICE)

        for default in ("sequence 8192", "strategy tp8-dp8", "micro-batch 1", "global batch 512", "platform superpod-1024"):
            self.assertIn(default, " ".join(text.split()))

    def test_flags_are_the_same_as_the_design_that_they_write(self):
        path = "design.yaml"
        flags = self.succeed_json("run", "llama-3.1-8b", *STRATEGY, "--seq", "4096", "--out", path)

        written = self.succeed_json("run", path)

        self.assertEqual(flags["step_time_s"], written["step_time_s"])
        self.assertEqual(flags["tokens_per_s"], written["tokens_per_s"])

    def test_tied_heads_get_weights_of_their_own(self):
        self.assertIn("a head of its own", self.succeed("run", "gpt-3-125m", "--device", "a100", "--devices", "8"))

    def test_mistakes_name_the_flag_and_what_to_do(self):
        for arguments, words in (
                (("--devices", "8"), ("--device", "is missing")),
                (("--device", "h100"), ("--devices", "is missing")),
                (("--device", "v100", "--devices", "8"), ("--platform", "cairn list platforms")),
                ((*DEVICE, "--strategy", "tp8-cp2"), ("--strategy", "not modelled yet")),
                ((*DEVICE, "--strategy", "tp8-dp4"), ("--strategy", "uses 32 devices")),
                ((*STRATEGY, "--global-batch", "63"), ("--global-batch", "use 60 or 64")),
                ((*STRATEGY, "--seq", "none"), ("--seq", "none")),
                ((*STRATEGY, "--seq", "1000000"), ("--seq", "use at most 131072")),
                ((*STRATEGY, "--set", "model.seq=77"), ("--set", "--seq")),
                ((*STRATEGY, "--micro-batch", "1073741825"), ("--micro-batch", "out of range")),
                (("--device", "h100", "--strategy", "dp65536", "--micro-batch", "65536"), ("--micro-batch", "65536")),
                (("--device", "h10", "--devices", "8"), ("--device", 'did you mean "h100"?'))):
            self.refuse(("run", "llama-3.1-8b", *arguments), *words)
        self.refuse(("run", "llama-3.1-8b"), "cairn run takes a model with --device")
        self.refuse(("run", "vgg-e", *DEVICE), "is not a transformer language model")


if __name__ == "__main__":
    unittest.main()
