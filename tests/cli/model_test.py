#!/usr/bin/python3
"""`cairn model` counts the parameters and flops of language models; a config.json is a model everywhere."""
import json
import unittest

from program import CliTest

COUNTS = {"parameters", "active_parameters", "seq", "count"}
UNITS = ("flops_per_token", "flops_per_token_not_causal")

# Name, sequence length, parameters, Gflop per token causal and not. Parameters are those of the published weights; GPT-3 and Megatron
# with a vocabulary of 51,200.
CHECKS = (("gpt-3-175b", 2048, 174615846912, 1061.95, 1076.44),
          ("megatron-1t", 2048, 1008038758400, 6087.93, 6128.19),
          ("llama-2-7b", 4096, 6738415616, 42.864, 46.085),
          ("llama-2-70b", 4096, 68976648192, 428.39, 444.49),
          ("llama-3.1-8b", 8192, 8030261248, 51.470, 57.913),
          ("llama-3.1-70b", 8192, 70553706496, 449.22, 481.43),
          ("llama-3.1-405b", 8192, 405853388800, 2523.96, 2625.42),
          ("qwen2.5-72b", 4096, 72706203648, 444.86, 460.96))

# Billions of parameters by the tables they come from.
SIZES = (("gpt-3-125m", 0.125), ("gpt-3-350m", 0.350), ("gpt-3-760m", 0.760), ("gpt-3-1.3b", 1.3), ("gpt-3-2.7b", 2.7),
         ("gpt-3-6.7b", 6.7), ("gpt-3-13b", 13.0), ("gpt-3-175b", 175.0), ("megatron-1.7b", 1.7), ("megatron-3.6b", 3.6),
         ("megatron-7.5b", 7.5), ("megatron-18b", 18.4), ("megatron-39b", 39.1), ("megatron-76b", 76.1), ("megatron-145b", 145.6),
         ("megatron-310b", 310.1), ("megatron-530b", 529.6), ("megatron-1t", 1008.0), ("megatron-22b", 22.0))

LLAMA = {"architectures": ["LlamaForCausalLM"], "attention_bias": False, "bos_token_id": 128000, "eos_token_id": 128001,
         "hidden_act": "silu", "hidden_size": 4096, "initializer_range": 0.02, "intermediate_size": 14336,
         "max_position_embeddings": 131072, "mlp_bias": False, "model_type": "llama", "num_attention_heads": 32,
         "num_hidden_layers": 32, "num_key_value_heads": 8, "pretraining_tp": 1, "rms_norm_eps": 1e-05,
         "rope_scaling": {"factor": 8.0, "rope_type": "llama3"}, "rope_theta": 500000.0, "tie_word_embeddings": False,
         "torch_dtype": "bfloat16", "use_cache": True, "vocab_size": 128256}


class ModelTest(CliTest):
    def model(self, *arguments):
        result = self.succeed_json("model", *arguments)
        self.check_units(result, UNITS, COUNTS)
        for key in ("parameters", *UNITS):
            total = sum(layer.get(key, 0) for layer in result["layers"])
            self.assertAlmostEqual(total / result[key], 1.0, delta=1e-12, msg=key)
        return result

    def config(self, name="config.json", **changes):
        written = {key: value for key, value in {**LLAMA, **changes}.items() if value != "absent"}
        return self.write(name, json.dumps(written, indent=2))


class Answers(ModelTest):
    def test_published_parameters_and_flops(self):
        for name, seq, parameters, causal, not_causal in CHECKS:
            with self.subTest(name):
                result = self.model(name, "--seq", str(seq))
                self.assertEqual(result["parameters"], parameters)
                self.assertEqual(result["active_parameters"], parameters)
                digits = 3 if causal < 100 else 2
                self.assertEqual(round(result["flops_per_token"] / 1e9, digits), causal)
                self.assertEqual(round(result["flops_per_token_not_causal"] / 1e9, digits), not_causal)

    def test_sizes_of_gpt_3_and_megatron(self):
        for name, billions in SIZES:
            with self.subTest(name):
                self.assertAlmostEqual(self.model(name)["parameters"] / 1e9 / billions, 1.0, delta=0.03)

    def test_a_published_configuration(self):
        path = self.config()
        ours, named = self.model(path), self.model("llama-3.1-8b")
        self.assertEqual(ours["name"], "llama")
        for key in ("parameters", "seq", "layers", *UNITS):
            self.assertEqual(ours[key], named[key], key)

    def test_a_longer_sequence_has_more_scores(self):
        short, long = (self.model("llama-3.1-8b", "--seq", seq) for seq in ("8192", "16384"))
        scores = [next(layer for layer in result["layers"] if layer["part"] == "scores") for result in (short, long)]
        self.assertEqual(scores[1]["flops_per_token"], 2 * scores[0]["flops_per_token"])
        self.assertEqual(long["flops_per_token"] - short["flops_per_token"], scores[0]["flops_per_token"])

    def test_settings(self):
        half = self.model("llama-3.1-8b", "--set", "layers=16")
        blocks = sum(layer["parameters"] for layer in half["layers"] if layer["kind"] == "block")
        self.assertEqual(self.model("llama-3.1-8b")["parameters"] - half["parameters"], blocks)
        self.assertEqual(self.model(self.config(), "--set", "layers=16")["parameters"], half["parameters"])

    def test_sizes_beyond_any_model(self):
        result = self.succeed_json("model", "gpt", "--set", "layers=4294967295", "--set", "hidden=1000000000", "--set", "heads=1")
        self.assertAlmostEqual(result["parameters"] / (4294967295 * 12e18), 1.0, delta=1e-6)
        sliding = self.model("gpt", "--set", "layers=4294967295", "--set", "window=8", "--set", "window_layers=[sliding, full]")
        counts = {layer["part"]: layer["count"] for layer in sliding["layers"]}
        self.assertEqual((counts["scores"], counts["sliding scores"]), (2147483647, 2147483648))

    def test_text(self):
        text = self.succeed("model", "llama-3.1-70b")
        self.assertRegex(text, r"(?m)^parameters +70,553,706,496$")
        self.assertRegex(text, r"(?m)^flops per token +449\.2 Gflop .*8192 tokens$")
        self.assertRegex(text, r"(?m)^block, MLP +80 ")

    def test_report(self):
        self.succeed("model", "gpt-3-175b", "--report", "model.html")
        self.assertIn("174615846912", (self.folder / "model.html").read_text())


class InADesign(ModelTest):
    DESIGN = "model: {model}\ndevice: h200\nplatform: 'ring:1@25GB/s,500ns'\nstrategy: {{batch: 1, precision: bf16, spread: d1}}\n"

    def step(self, model, *settings):
        self.write("d.yaml", self.DESIGN.format(model=model))
        return self.succeed_json("run", "d.yaml", *(part for text in settings for part in ("--set", text)))

    def test_by_path_and_inline(self):
        small = {"num_hidden_layers": 2, "hidden_size": 512, "intermediate_size": 1024, "num_attention_heads": 8,
                 "num_key_value_heads": 2, "vocab_size": 1000, "max_position_embeddings": 256}
        self.config(**small)
        ours = ("{network: gpt, layers: 2, hidden: 512, intermediate: 1024, heads: 8, kv_heads: 2, vocab: 1000, seq: 256, mlp: gated, "
                "norm: rms, positions: rotary, bias: false}")
        expected = self.step(ours)["step_time_s"]
        self.assertEqual(self.step("config.json")["step_time_s"], expected)
        inline = json.dumps({**LLAMA, **small})
        self.assertEqual(self.step(inline)["step_time_s"], expected)
        self.assertEqual(self.step("vgg-e", "model=config.json")["step_time_s"], expected)
        shorter = self.step(ours, "model.seq=128")["step_time_s"]
        self.assertLess(shorter, expected)
        for model in ("config.json", inline):
            self.assertEqual(self.step(model, "model.seq=128")["step_time_s"], shorter)

    def test_sensitivity_reads_it(self):
        self.config(num_hidden_layers=1, max_position_embeddings=64)
        self.write("d.yaml", self.DESIGN.format(model="config.json"))
        self.succeed("sensitivity", "d.yaml")


class Refusals(ModelTest):
    def test_models(self):
        self.refuse(["model", "llama-3.1-71b"], "MODEL: \"llama-3.1-71b\" is not a model (did you mean \"llama-3.1-70b\"?)")
        self.refuse(["model", "vgg-e"], "vgg-e.yaml:3: network: \"vgg\" is not a transformer language model")
        self.refuse(["model", "gpt-on-h200"], "is a design (expected a model; use cairn run)")
        self.refuse(["model"], "MODEL")

    def test_sequences(self):
        self.refuse(["model", "llama-3.1-8b", "--seq", "0"], "--seq", "0")
        self.refuse(["model", "llama-3.1-8b", "--seq", "long"], "--seq", "long")
        self.refuse(["model", "llama-3.1-8b", "--seq", "262144"], "--seq: \"262144\" is invalid (sequences of 262144 tokens, the model has "
                    "131072 positions: max_seq)")

    def test_settings(self):
        self.refuse(["model", "llama-3.1-8b", "--set", "layers=0"], "layers", "0")
        self.refuse(["model", self.config(), "--set", "num_hidden_layers=16"], "num_hidden_layers", "unknown key")

    def test_missing_keys(self):
        for key in ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size",
                    "max_position_embeddings"):
            with self.subTest(key):
                path = self.config(**{key: "absent"})
                self.refuse(["model", path], f": {key}: is missing (needed by model_type llama)")

    def test_a_missing_head_dimension(self):
        self.refuse(["model", self.config(model_type="gemma")], ": head_dim: is missing (needed by model_type gemma)")

    def test_types(self):
        self.refuse(["model", self.config(model_type="lama")], "config.json:", "model_type: \"lama\" is not a known type of model",
                    "did you mean \"llama\"?")
        for name in ("mixtral", "qwen3_moe", "deepseek_v3", "kimi_k2", "gpt_oss"):
            self.refuse(["model", self.config(model_type=name)], f"\"{name}\" is not modelled (experts are not modelled yet)")

    def test_values(self):
        self.refuse(["model", self.config(hidden_size="wide")], "config.json:", "hidden_size: \"wide\" is not a number")
        self.refuse(["model", self.config(num_key_value_heads=5)], "num_key_value_heads: \"5\" is invalid (5 KV heads do not divide 32")
        self.refuse(["model", self.write("config.json", "{\"model_type\": \"llama\"")], "config.json")


if __name__ == "__main__":
    unittest.main()
