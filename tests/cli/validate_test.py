#!/usr/bin/python3
"""Measurements are recognized, predicted and fitted; invalid input is rejected by location."""
import csv
import math
import pathlib
import re
import unittest

from program import CliTest

MEASURED = pathlib.Path(__file__).resolve().parents[2] / "data" / "measurements" / "h200"
RANDOM = MEASURED.parent / "h200-random"
NOT_PREDICTED = ("chain", "optimizer", "grouped", "issue", "power")
GEMM = "dtype,m,n,k,time_us,cache\nbf16,1024,1024,1024,5.4,warm\nbf16,64,4096,4096,12,cold\nbf16,512,512,512,3.5,warm\n"
COLLECTIVES = ("op,devices,devices_per_node,bytes,time_us\n" "all_reduce,8,8,1048576,40\n" "all_gather,4,8,67108864,300\n"
               "all_reduce,16,8,1048576,400\n")
VIDUR = (",time_stats.all_reduce.min,time_stats.all_reduce.max,time_stats.all_reduce.mean,time_stats.all_reduce.median,"
         "time_stats.all_reduce.std,rank,num_workers,size,collective,devices_per_node,max_devices_per_node\n"
         "0,0.3,0.4,0.33,0.323,0.1,0,4,34471936,all_reduce,4,8\n")
RUNS = ("# GPUs,global batch,micro batch,hidden size,attention heads,# layers,sequence length,tensor parallelism,"
        "data parallelism,pipeline parallelism,iteration time (ms)\n2,16,8,1024,16,24,1024,1,1,2,372.2\n"
        "8,32,4,1024,16,24,1024,2,2,2,219.7\n")
PUBLISHED = ("device,model,global_batch,microbatches,dp,tp,pp,cp,seq_parallel,recomputation,measured_s_per_batch\n"
             "A100,GPT 22B,4,1,1,8,1,1,False,full,1.4\nA100,GPT 22B,4,1,1,8,1,1,True,selective,1.1\n"
             "A100,GPT 175B,64,64,1,8,8,1,False,full,16.9\n")
LLAMA2 = ("variant,tp,pp,cp,dp,status,measured_step_s,tokens_per_s,tokens_per_s_per_gpu\n"
          "DDP,1,1,1,4,SUCCESS,36.9,14195.52,3548.88\nDDP,1,1,4,1,SUCCESS,107.0,4899.89,1224.97\n"
          "FSDP,1,1,1,4,SUCCESS,56.26,9318.37,2329.59\nFSDP,1,2,1,2,INSUFFICIENT_DATA,,,\n")
NANOTRON = ("job_id,nodes,seq_len,mbs,batch_accum,gbs,tok_per_s_per_gpu,dp,pp,tp,hidden_size,interm_dim,num_layers,num_heads,num_kv_heads,"
            "vocab_size,tie_word_embeddings,zero_stage,num_params,status\n"
            "1,1.0,4096,1,32.0,256.0,39273.41,8,1,1,2048,8192.0,16,32,32.0,131072,True,0,1.34,Success\n"
            "2,1.0,4096,8,8.0,256.0,37628.15,4,1,2,2048,8192.0,16,32,32.0,131072,True,1,1.34,Success\n"
            "3,1.0,4096,1,32.0,256.0,,8,1,1,2048,8192.0,16,32,32.0,131072,True,0,1.34,OOM\n"
            "4,2.0,4096,1,16.0,256.0,37698.03,16,1,1,2048,8192.0,16,32,32.0,131072,True,1,1.34,Success\n"
            "5,1.0,4096,1,32.0,256.0,39273.41,8,1,1,2048,8192.0,16,32,8.0,131072,True,0,1.34,Success\n")
BESIDE = ("work,stream_blocks,stream_kind,stream_alone_GBps,work_alone_us,stream_alone_us,work_together_us,stream_together_us\n"
          "gemm2048 x200,2,copy,190,4671,4335,4698,4943\ngemm2048 x200,4,copy,380,4671,4335,7006,4963\n"
          "gelu 512MB x16,132,reduce,4185,5461,5906,11234,6600\n")
LAYOUTS = ("dtype,m,n,k,layout,batch,fast_accumulation,time_us,cache,clock_MHz,held_out\n"
           "bf16,1024,1024,1024,nt,1,0,5.4,warm,1980,0\nbf16,4096,4096,4096,tn,16,0,3200,cold,1755,1\n"
           "fp8,1024,1024,1024,nt,1,1,5.4,warm,1980,0\n")
STEPS = "model,config,dtype,weights,memory,code,launch,iteration_ms\n"
COPIES = "op,kbytes,time_us\n" + "".join(f"h2d,{size},{3 + size / 50}\n" for size in (4, 64, 1024, 16384))


SHEET = """
cores: {count: 132, frequency: 1830 MHz, rows: 64, columns: 8, vector: 128 flop, matrix: {fp16: 4096 flop, bf16: 4096 flop}}
levels:
  - {name: register, scope: mcu, capacity: 256 KiB}
  - {name: shared, scope: bundle, capacity: 227 KiB, per_cycle: 16896 B}
  - {name: l2, scope: global, capacity: 50 MB}
memory: {capacity: 141 GB, bandwidth: 4.8 TB/s}
"""


class Answers(CliTest):
    def test_every_bundled_measurement(self):
        for file in sorted(MEASURED.glob("*.csv")):
            with self.subTest(file=file.name):
                result = self.succeed_json("validate", str(file), "--device", "h200")
                self.assertEqual(result["kind"], file.stem)
                self.assertGreater(len(result["cases"]), 0)
                for case in result["cases"]:
                    self.assertAlmostEqual(case["error"], case["predicted_s"] / case["measured_s"] - 1)
                errors = sorted(abs(case["error"]) for case in result["cases"])
                self.assertAlmostEqual(result["mean_abs_error"], sum(errors) / len(errors))
                self.assertAlmostEqual(result["max_abs_error"], errors[-1])

    def test_every_row_of_the_random_sample_is_predicted_or_skipped_with_a_reason(self):
        for file in sorted(RANDOM.glob("*.csv")):
            with self.subTest(file=file.name), file.open(newline="") as lines:
                held_out = {line for line, row in enumerate(csv.DictReader(lines), 2) if row["held_out"] == "1"}
                command = ["validate", str(file), "--device", "h200", "--held-out"]
                if file.stem in NOT_PREDICTED:
                    self.refuse(command, f"infeasible: {file.stem}: ", "no row can be predicted", "not modelled", code=3)
                    continue
                result = self.succeed_json(*command)
                self.assertEqual(result["kind"], file.stem)
                predicted, skipped = ({row["line"] for row in result[rows]} for rows in ("cases", "left_out"))
                self.assertEqual(predicted | skipped, held_out)
                self.assertEqual(predicted & skipped, set())
                self.assertEqual({case["held_out"] for case in result["cases"]}, {True})
                self.assertTrue(all("not modelled" in row["why"] for row in result["left_out"]))

    def test_errors_by_layout_and_by_time(self):
        self.write("gemm.csv", LAYOUTS)
        result = self.succeed_json("validate", "gemm.csv", "--device", "h200")
        self.assertEqual([group["group"] for group in result["groups"]], ["bf16 nt", "bf16 tn, batched", "fp8 nt, fast"])
        self.assertEqual([decade["time"] for decade in result["by_time"]], ["below 10 us", "1 to 10 ms"])
        one = self.succeed_json("kernel", "gemm", "--device", "h200", "--m", "4096", "--n", "4096", "--k", "4096", "--precision", "bf16")
        self.assertAlmostEqual(result["cases"][1]["predicted_s"] / one["time_s"], 16, delta=1)
        text = self.succeed("validate", "gemm.csv", "--device", "h200", "--held-out")
        self.assertIn("bf16 tn, batched", text)
        self.assertNotIn("bf16 nt", text)

    def test_rows_without_a_model_are_skipped_with_the_reason(self):
        rows = {
            "batch,heads,kv_heads,seq,dim,causal,window,code,fwd_us,bwd_us\n1,8,2,1024,64,1,0,eager,9,20\n"
            "1,8,2,1024,64,1,256,compiled,9,20\n": "sliding windows",
            "dtype,format,N,C,H,W,K,R,stride,pad,fwd_us,dgrad_us,wgrad_us\nbf16,nhwc,8,64,28,28,64,3,1,1,9,9,9\n"
            "bf16,nchw,8,64,28,28,64,3,1,1,9,9,9\n": "nchw",
            "kind,dtype,hidden,batch,steps,launch,fwd_us,fwdbwd_us\nlstm,fp16,256,16,8,replay,50,150\nlstm,fp16,256,16,8,python,50,150\n":
                "launched by Python",
            "op,mbytes_in,time_us,mbytes_moved\nadd,1,3,3\nto_fp8,1,3,1.5\n": "casts",
            "op,width,rows,time_us,table_rows\nsoftmax,1024,512,3,0\npermute_rows,1024,512,3,512\n": "experts",
            STEPS + "gpt,layers=1 hidden=128 heads=2 kv_heads=2 dim=64 inner=512 vocab=1000 seq=256 batch=2 micros=2 tp=1 recompute=1,bf16,master,"
            "resident,eager,replay,2\ngpt,layers=1 hidden=128 heads=2 kv_heads=2 dim=64 inner=512 vocab=1000 seq=256 batch=2 micros=1 tp=1,bf16,"
            "same,resident,compiled,replay,2\n": "compiled",
            STEPS + "alexnet,batch=8,bf16,same,resident,eager,replay,2\nllama,layers=1 hidden=128 heads=2 vocab=1000 seq=256 batch=2,bf16,autocast,"
            "resident,eager,replay,2\n": "autocast",
            STEPS + "alexnet,batch=8,bf16,same,offload,eager,python,2\nalexnet,batch=8,bf16,same,resident,eager,python,2\n":
                "launched by Python",
            STEPS + "alexnet,batch=8,bf16,same,resident,eager,replay,2\nllama,layers=1 hidden=128 heads=2 vocab=1000 seq=256 batch=2 tp=2,bf16,"
            "same,resident,eager,replay,2\n": "tensor-parallel rank",
        }
        for text, why in rows.items():
            with self.subTest(why=why):
                self.write("rows.csv", text)
                result = self.succeed_json("validate", "rows.csv", "--device", "h200")
                self.assertEqual({case["line"] for case in result["cases"]}, {2})
                (skipped,) = result["left_out"]
                self.assertEqual(skipped["line"], 3)
                self.assertIn(why, skipped["why"])

    def test_rows_of_another_width_take_another_time(self):
        self.write("rows.csv", "op,width,rows,time_us,table_rows\n" + "".join(
            f"{op},{width},{rows},3,0\n" for op in ("layer_norm", "rms_norm_backward", "sum_rows") for width, rows in ((256, 65536), (4096, 65536))))
        times = [case["predicted_s"] for case in self.succeed_json("validate", "rows.csv", "--device", "h200")["cases"]]
        for narrow, wide in zip(times[::2], times[1::2]):
            self.assertLess(narrow, wide)

    def test_calibration_fits_rows_of_a_random_sample_that_are_not_held_out(self):
        self.write("copies.csv", "op,kbytes,time_us,clock_MHz,held_out\n" + "".join(
            f"h2d,{size},{(3 + size / 50) * (3 if i % 4 == 1 else 1)},1980,{int(i % 4 == 1)}\n" for i, size in enumerate((4, 32, 64, 256, 1024, 4096, 16384))))
        result = self.succeed_json("calibrate", "copies.csv", "--device", "h200", "--out", "mine.yaml")
        self.assertAlmostEqual(result["parameters"]["host.start"]["after"], 3e-6, delta=3e-7)
        (kind,) = result["kinds"]
        self.assertEqual((kind["fitted_on"]["cases"], kind["held_out"]["cases"]), (5, 2))
        self.assertAlmostEqual(kind["held_out"]["mean_abs_error"], 2 / 3, delta=0.02)

    def test_text_has_the_main_results_and_fits_a_terminal(self):
        text = self.succeed("validate", str(MEASURED / "gemm.csv"), "--device", "h200")
        for word in ("bf16 large, warm", "mean", "90 %", "worst cases", "bound by"):
            self.assertIn(word, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_a_device_without_calibration_works(self):
        self.write("gemm.csv", GEMM)
        self.assertEqual(self.succeed_json("validate", "gemm.csv", "--device", "a100")["device"], "a100")

    def test_byte_order_marks_and_carriage_returns_are_ignored(self):
        self.write("gemm.csv", "\ufeff" + GEMM.replace("\n", "\r\n"))
        self.assertEqual(len(self.succeed_json("validate", "gemm.csv", "--device", "h200")["cases"]), 3)

    def test_rows_of_an_unsupported_precision_are_skipped(self):
        self.write("gemm.csv", GEMM.replace("bf16,64", "fp8,64"))
        result = self.succeed_json("validate", "gemm.csv", "--device", "a100")
        self.assertEqual([row["line"] for row in result["left_out"]], [3])

    def test_collectives_are_compared_with_a_platform(self):
        self.write("collective.csv", COLLECTIVES)
        result = self.succeed_json("validate", "collective.csv", "--platform", "dgx-h100")
        self.assertEqual((result["kind"], result["platform"]), ("collective", "dgx-h100"))
        one = self.succeed_json("collective", "--platform", "dgx-h100", "--op", "all_reduce", "--size", "1 MiB")
        self.assertAlmostEqual(result["cases"][0]["predicted_s"], one["time_s"])
        self.assertEqual(result["cases"][0]["bound_by"], f"ring, {one['protocol']}")
        self.assertEqual([row["line"] for row in result["left_out"]], [4])
        self.write("nodes.csv", COLLECTIVES)
        result = self.succeed_json("validate", "nodes.csv", "--platform", "dgx-a100-x2")
        self.assertEqual(len(result["cases"]), 3)

    def test_collectives_as_vidur_has_them(self):
        self.write("vidur.csv", VIDUR)
        result = self.succeed_json("validate", "vidur.csv", "--platform", "dgx-a100")
        self.assertEqual(result["kind"], "vidur_all_reduce")
        self.assertAlmostEqual(result["cases"][0]["measured_s"], 323e-6)
        self.assertAlmostEqual(result["cases"][0]["error"], 0, delta=0.1)

    def test_copies_in_both_directions_share_bandwidth(self):
        self.write("both.csv", "pair,work_us,side_us,together_us\nh2d1GB|d2h1GB,19000,19000,23000\nh2d1GB|h2d1GB,19000,19000,38000\n")
        result = self.succeed_json("validate", "both.csv", "--device", "h200", "--set", "host.bandwidth=50 GB/s", "--set",
                                   "host.both_ways=80 GB/s", "--set", "host.start=0 us")
        one, size = 2**30 / 50e9, 2**30
        expected = [one, one, 2 * size / 80e9, one, one, 2 * one]
        for case, time in zip(result["cases"], expected, strict=True):
            self.assertAlmostEqual(case["predicted_s"], time, delta=1e-6)

    def test_interference_has_a_bottleneck(self):
        self.write("beside.csv", BESIDE)
        cases = self.succeed_json("validate", "beside.csv", "--device", "h200")["cases"]
        works = cases[::2]
        self.assertEqual([case["bound_by"] for case in works], ["nothing", "waves", "turn"])
        self.assertAlmostEqual(works[0]["predicted_s"], 4671e-6)
        self.assertAlmostEqual(works[2]["predicted_s"], (5461 + 5906) * 1e-6)
        self.assertGreater(works[1]["predicted_s"], 1.4 * works[0]["predicted_s"])

    def test_steps_on_several_devices(self):
        self.write("runs.csv", "\ufeff" + RUNS)
        result = self.succeed_json("validate", "runs.csv", "--device", "a100", "--platform", "dgx-a100")
        self.assertEqual((result["kind"], len(result["cases"])), ("megatron", 2))
        self.write("runs.csv", PUBLISHED)
        result = self.succeed_json("validate", "runs.csv", "--device", "a100", "--platform", "dgx-a100")
        self.assertEqual((result["kind"], len(result["cases"])), ("published_gpt", 2))
        self.assertEqual([row["line"] for row in result["left_out"]], [4])
        self.write("runs.csv", LLAMA2)
        result = self.succeed_json("validate", "runs.csv", "--device", "a100-pcie", "--platform", "a100-pcie-x4")
        self.assertEqual((result["kind"], len(result["cases"])), ("llama2", 1))
        self.assertEqual([row["line"] for row in result["left_out"]], [3, 4, 5])
        self.write("runs.csv", NANOTRON)
        result = self.succeed_json("validate", "runs.csv", "--device", "h100", "--platform", "dgx-h100")
        self.assertEqual((result["kind"], len(result["cases"])), ("nanotron", 2))
        self.assertEqual([row["line"] for row in result["left_out"]], [4, 5, 6])
        # 256 samples of 4,096 words at so many words a second on each of eight devices.
        self.assertAlmostEqual(result["cases"][0]["measured_s"], 256 * 4096 / (8 * 39273.41))
        text = self.succeed("validate", "runs.csv", "--device", "h100", "--platform", "dgx-h100")
        self.assertIn("1 row not predicted, the first: job 4", text)

    def test_plot(self):
        self.write("gemm.csv", GEMM)
        self.succeed("validate", "gemm.csv", "--device", "h200", "--plot", "pictures")
        self.assertTrue((self.folder / "pictures" / "validate-gemm.gp").exists())

    def test_calibrated_devices_are_devices(self):
        self.write("hostcopy.csv", COPIES)
        result = self.succeed_json("calibrate", "hostcopy.csv", "--device", "h200", "--out", "mine.yaml")
        self.assertAlmostEqual(result["parameters"]["host.start"]["after"], 3e-6, delta=3e-7)
        fitted = self.succeed_json("validate", "hostcopy.csv", "--device", "mine.yaml")
        self.assertLess(fitted["mean_abs_error"], 0.02)
        kernel = ("kernel", "gemm", "--device", "mine.yaml", "--m", "64", "--n", "64", "--k", "64")
        self.assertRegex(self.succeed(*kernel), r"(?s)error bar +none +100 % of the time .*\(gemm\)")  # of none was anything held out
        self.assertIsNone(result["error"])
        self.write("gemm.csv", GEMM)
        self.assertGreater(self.succeed_json("calibrate", "gemm.csv", "--device", "h200", "--out", "mine.yaml")["error"], 0)
        self.assertRegex(self.succeed(*kernel), r"error bar +[0-9.]+ %")
        # Called as its file; one that was changed is not the one that was measured.
        self.assertEqual(self.succeed_json("validate", "gemm.csv", "--device", "mine.yaml")["device"], "mine")
        self.assertRegex(self.succeed(*kernel, "--set", "launch=2 us"), "error bar +none +launch changed since")

    def test_calibration_can_start_from_a_data_sheet(self):
        self.write("sheet.yaml", SHEET)
        files = [str(MEASURED / name) for name in ("memory_bound.csv", "hostcopy.csv")]
        result = self.succeed_json("calibrate", *files, "--device", "sheet.yaml", "--out", "mine.yaml")
        full = self.succeed_json("calibrate", *files, "--device", "h200", "--out", "full.yaml")
        for kind, known in zip(result["kinds"], full["kinds"], strict=True):
            self.assertLess(kind["held_out"]["mean_abs_error"], 1.1 * known["held_out"]["mean_abs_error"])
        # Again from there, no figure moves by more than its spread.
        again = self.succeed_json("calibrate", *files, "--device", "mine.yaml", "--out", "again.yaml")["parameters"]
        for key, value in result["parameters"].items():
            if value["told"]:
                self.assertLessEqual(abs(math.log(again[key]["after"] / value["after"])), value["spread"], key)

    def test_the_error_bar_of_a_step_is_that_of_the_kinds_of_its_kernels(self):
        def error_bar(model, device):
            self.write("d.yaml", f"model: {model}\ndevice: {device}\nplatform: dgx-h100\nstrategy: {{batch: 8, precision: bf16}}\n")
            return self.succeed_json("run", "d.yaml").get("error_bar")

        kinds = "[{kind: memory_bound, held_out: 9, held_out_error: 0.1}, {kind: gemm, held_out: 9, held_out_error: 0.1}%s]"
        device = (MEASURED.parents[1] / "devices" / "h200.yaml").read_text().split("calibration:")[0]
        calibration = "calibration: {on: a test, error: 0.1, kinds: " + kinds + "}\n"
        self.write("part.yaml", device + calibration % "")
        self.write("all.yaml", device + calibration % ", {kind: conv, held_out: 9, held_out_error: 0.3}")
        self.assertIsNone(error_bar("resnet-50", "part.yaml"))  # convolutions were never measured
        self.assertGreater(error_bar("resnet-50", "all.yaml"), 0.1)
        self.assertLess(error_bar("resnet-50", "all.yaml"), 0.3)

    def test_the_error_bar_of_a_kernel_is_that_of_its_kind(self):
        device = (MEASURED.parents[1] / "devices" / "h200.yaml").read_text()
        for kind, kernel in (("gemm", ("gemm", "--m", "512", "--n", "512", "--k", "512")),
                             ("conv", ("convolution", "--input", "{channels: 64, height: 56, width: 56}", "--layer", "{channels: 64, kernel: 3}"))):
            expected = float(re.search(rf"kind: {kind},.*held_out_error: ([0-9.]+)", device)[1])
            self.assertAlmostEqual(self.succeed_json("kernel", *kernel, "--device", "h200", "--precision", "bf16")["error_bar"], expected)

    def test_changes_since_calibration_are_listed(self):
        self.write("gemm.csv", GEMM)
        changes = ("--set", "memory.bandwidth=4 TB/s", "--set", "launch=1 us", "--set", "name=mine")
        text = self.succeed("validate", "gemm.csv", "--device", "h200", *changes)
        self.assertIn("the device is calibrated on data/measurements/h200", text)
        self.assertIn("changed since: memory.bandwidth, launch", " ".join(text.split()))
        self.assertEqual(self.succeed_json("validate", "gemm.csv", "--device", "h200", *changes)["changed_since"],
                         ["memory.bandwidth", "launch"])
        self.assertEqual(self.succeed_json("validate", "gemm.csv", "--device", "h200")["changed_since"], [])
        self.write("d.yaml", "model: alexnet\ndevice: h200\nplatform: dgx-h100\nstrategy: {batch: 64, precision: bf16}\n")
        self.assertGreater(self.succeed_json("run", "d.yaml")["error_bar"], 0)
        result = self.succeed_json("run", "d.yaml", "--set", "device.launch=1 us")
        self.assertIsNone(result["error_bar"])
        self.assertIn("launch", result["why_no_error_bar"])

    def test_one_time_has_no_correlation(self):
        self.write("gemm.csv", "\n".join(GEMM.splitlines()[:2]))
        result = self.succeed_json("validate", "gemm.csv", "--device", "h200")
        self.assertIsNone(result["correlation"])
        self.assertIsNone(result["groups"][0]["correlation"])

    def test_rows_that_a_device_cannot_compute_are_skipped(self):
        self.write("rows.csv", "op,mbytes_in,time_us,mbytes_moved\nadd,1,5,3\n")
        self.assertEqual(len(self.succeed_json("validate", "rows.csv", "--device", "v100")["cases"]), 1)
        self.write("rows.csv", "batch,heads,seq,dim,causal,fwd_us,bwd_us\n1,16,256,64,0,7,17\n")
        self.refuse(["validate", "rows.csv", "--device", "v100"], "infeasible: attention: ", "bf16", code=3)


class Refusals(CliTest):
    def test_empty_names(self):
        self.refuse_rows("op,mbytes_in,time_us,mbytes_moved\nad,1,5,3\n", "bad.csv:2: op: ", '"ad"', "add, relu")
        self.refuse_rows("batch,heads,seq,dim,causal,fwd_us,bwd_us\n1,16,256,64,2,7,17\n", "bad.csv:2: causal: ", "0 or 1")

    def test_more_micro_batches_than_a_strategy_has(self):
        system = ("--device", "h100", "--platform", "dgx-h100")
        self.write("bad.csv", NANOTRON.replace(",1,32.0,256.0,39273", ",1,1e9,8e9,39273"))
        self.refuse(["validate", "bad.csv", *system], "bad.csv:2: ")
        self.write("bad.csv", NANOTRON.replace(",1,32.0,256.0,39273", ",1,5000,40000,39273"))
        self.refuse(["validate", "bad.csv", *system], "bad.csv:2: batch_accum: ", "4096")
        self.write("bad.csv", PUBLISHED.replace("GPT 22B,4,1,1,8", "GPT 22B,5000,5000,1,8"))
        self.refuse(["validate", "bad.csv", *system], "bad.csv:2: microbatches: ", "4096")

    def test_two_files_of_a_kind(self):
        self.write("a.csv", COPIES)
        self.write("b.csv", COPIES)
        self.refuse(["calibrate", "a.csv", "b.csv", "--device", "h200", "--out", "mine.yaml"], "b.csv", "hostcopy", "twice")

    def refuse_rows(self, text, *expected):
        self.write("bad.csv", text)
        self.refuse(["validate", "bad.csv", "--device", "h200"], *expected)

    def test_invalid_files(self):
        self.refuse(["validate", "nowhere.csv", "--device", "h200"], "nowhere.csv")
        self.refuse_rows("", "bad.csv: ", "is empty")
        self.refuse_rows("dtype,m,n,k,time_us\n", "has column names only")
        self.refuse_rows("colour,taste\n1,2\n", "matches no kind of measurements")

    def test_columns(self):
        self.refuse_rows(GEMM.replace("time_us", "time"), "bad.csv:1: time_us: is missing")
        self.refuse_rows(GEMM.replace("cache", "weather"), "bad.csv:1: weather: ")

    def test_cells(self):
        self.refuse_rows(GEMM.replace("5.4", "fast"), "bad.csv:2: time_us: \"fast\" is not a number")
        for time in ("0", "-1", "nan", "inf", "1e999"):
            self.refuse_rows(GEMM.replace("5.4", time), "bad.csv:2: time_us: ")
        self.refuse_rows(GEMM.replace("64,4096", "64.5,4096"), "bad.csv:3: m: ")
        self.refuse_rows(GEMM.replace("cold", "tepid"), "bad.csv:3: cache: ")
        self.refuse_rows(GEMM.replace("bf16,64", "bf17,64"), "bad.csv:3: dtype: ", "bf16")
        header = "model,config,dtype,memory,iteration_ms\n"
        self.refuse_rows(header + "alexnet,batch=x,bf16,resident,1\n", "bad.csv:2: config: ")
        self.refuse_rows(header + "alexnet,,bf16,resident,1\n", "bad.csv:2: config: ", "batch")
        self.refuse_rows(header + "alexnot,batch=1,bf16,resident,1\n", "bad.csv:2: model: ", "alexnet")
        self.refuse_rows(header + "alexnet,batch=1,bf16,somewhere,1\n", "bad.csv:2: memory: ")
        self.refuse_rows(header + "alexnet,batch=1 taste=2,bf16,resident,1\n", "bad.csv:2: config: ", "taste")
        more = header.replace("\n", ",peak_gib,params,offloaded_gib\n")
        self.refuse_rows(more + "alexnet,batch=1,bf16,resident,1,x,1,0\n", "bad.csv:2: peak_gib: ")
        self.refuse_rows(more + "alexnet,batch=1,bf16,resident,1,1,1,-1\n", "bad.csv:2: offloaded_gib: ")
        self.refuse_rows(header + "alexnet,batch=1 batch=2,bf16,resident,1\n", "bad.csv:2: config: ", "twice")
        self.refuse_rows(header + "gpt,layers=2 hidden=64 heads=3 vocab=9 seq=8 batch=2,bf16,resident,1\n", "bad.csv:2: ", "heads")

    def test_cells_of_a_random_sample(self):
        self.refuse_rows(LAYOUTS.replace("tn,16", "tt,16"), "bad.csv:3: layout: ", "nt, nn or tn")
        self.refuse_rows(LAYOUTS.replace("tn,16", "tn,0"), "bad.csv:3: batch: ")
        self.refuse_rows(LAYOUTS.replace("nt,1,1", "nt,1,2"), "bad.csv:4: fast_accumulation: ", "0 or 1")
        self.refuse_rows(LAYOUTS.replace("1755,1", "1755,maybe"), "bad.csv:3: held_out: ", "0 or 1")
        self.refuse_rows(LAYOUTS.replace("1755,1", "fast,1"), "bad.csv:3: clock_MHz: ")
        self.refuse_rows("op,width,rows,time_us\nsoftmaxx,64,64,3\n", "bad.csv:2: op: ", "softmax")
        self.refuse_rows("op,width,rows,time_us\nembedding,64,64,3\n", "bad.csv:2: table_rows: ")
        self.refuse_rows("op,code,width,rows,time_us\nswiglu,interpreted,64,64,3\n", "bad.csv:2: code: ", "eager or compiled")
        self.refuse_rows("batch,heads,kv_heads,seq,dim,causal,fwd_us,bwd_us\n1,8,3,64,64,1,9,20\n", "bad.csv:2: kv_heads: ", "8 attention heads")
        self.refuse_rows(STEPS + "alexnet,batch=8,bf16,half,resident,eager,replay,2\n", "bad.csv:2: weights: ")
        self.refuse_rows(STEPS + "gpt,layers=1 hidden=128 heads=2 dim=32 vocab=9 seq=8 batch=2,bf16,same,resident,eager,replay,2\n",
                         "bad.csv:2: config: ", "dim")

    def test_huge_sizes(self):
        self.refuse_rows(GEMM.replace("bf16,64,", "bf16,4294967296,"), "bad.csv:3: m: ")
        self.refuse_rows("op,mbytes_in,time_us,mbytes_moved\nadd,1e12,1,1\n", "bad.csv:2: ", "elements")
        self.refuse_rows("kind,dtype,hidden,batch,steps,fwd_us,fwdbwd_us\nlstm,fp16,900000000,900000000,4,1,2\n", "bad.csv:2: ")
        self.write("bad.csv", "op,devices,devices_per_node,bytes,time_us\nall_reduce,4294967298,8,1,1\n")
        self.refuse(["validate", "bad.csv", "--platform", "dgx-h100"], "bad.csv:2: devices: ")

    def test_interference(self):
        for work in ("gemm", "gemm0 x8", "gemm2048", "gemm2048 x0", "gemm2048 x8 x8", "conv3 x8", "gelu 512 x16",
                     "embedding 2M x8", ""):
            self.refuse_rows(BESIDE.replace("gemm2048 x200", work, 1), "bad.csv:2: work: ", "expected e.g. gemm8192 x8")
        for blocks in ("0", "-1", "1.5", "133", "many"):
            self.refuse_rows(BESIDE.replace(",4,copy", f",{blocks},copy"), "bad.csv:3: stream_blocks: ")
        self.refuse_rows(BESIDE.replace(",4,copy", ",133,copy"), "more than the 132 cores of h200")
        self.refuse_rows(BESIDE.replace("reduce", "scale"), "bad.csv:4: stream_kind: ", "copy or reduce")
        self.refuse_rows(BESIDE.replace("4185", "4800"), "bad.csv:4: stream_alone_GBps: ", "4800 GB/s")
        self.refuse_rows(BESIDE.replace("5906", "0"), "bad.csv:4: stream_alone_us: ")

    def test_steps_on_several_devices(self):
        def refuse_runs(text, *expected):
            self.write("bad.csv", text)
            self.refuse(["validate", "bad.csv", "--device", "a100", "--platform", "dgx-a100"], *expected)
        self.refuse_rows(RUNS, "--platform: ", "is missing")
        refuse_runs(RUNS.replace("\n2,16", "\n4,16"), "bad.csv:2: # GPUs: ", "product")
        refuse_runs(RUNS.replace("2,16,8", "2,15,8"), "bad.csv:2: global batch: ")
        refuse_runs(RUNS.replace("2,16,8", "2,1000000,8"), "bad.csv:2: global batch: ", "micro-batches")
        refuse_runs(RUNS.replace("2,16,8", "2,16,4294967296"), "bad.csv:2: micro batch: ")
        refuse_runs(RUNS.replace("16,24,1024,1,1,2", "16,23,1024,1,1,2"), "bad.csv:2: # layers: ")
        refuse_runs(RUNS.replace("1024,16,24,1024,1", "1024,15,24,1024,1"), "bad.csv:2: attention heads: ")
        refuse_runs(PUBLISHED.replace("175B", "175"), "bad.csv:4: model: ", "GPT 175B")

    def test_pairs(self):
        for pair in ("gemm8192x20", "gemm8192|h2d1GB", "gemm8192x20|h2d1MB", "gemm0x20|h2d1GB", "emb x10|wait", "|"):
            self.refuse_rows(f"pair,work_us,side_us,together_us\n{pair},1,1,1\n", "bad.csv:2: pair: ", "expected e.g.")

    def test_flags(self):
        self.write("gemm.csv", GEMM)
        self.write("hostcopy.csv", COPIES)
        self.refuse(["validate", "gemm.csv"], "--device", "is missing")
        self.refuse(["calibrate", "gemm.csv", "--device", "h200"], "--out", "is missing")
        self.refuse(["calibrate", "--device", "h200", "--out", "x.yaml"], "FILES", "is missing")
        self.refuse(["calibrate", "gemm.csv", "--device", "chip:v100", "--out", "x.yaml"], "template")
        self.refuse(["calibrate", "hostcopy.csv", "--device", "h200", "--out", "no/such/folder/x.yaml"], "--out")
        self.assertFalse((self.folder / "x.yaml").exists())

    def test_device_or_platform_by_kind(self):
        self.write("gemm.csv", GEMM)
        self.write("collective.csv", COLLECTIVES)
        self.refuse(["validate", "gemm.csv", "--platform", "dgx-h100"], "--platform: gemm", "a device", "--device h200")
        self.refuse(["validate", "collective.csv", "--device", "h200"], "--device: collective", "--platform dgx-h100")
        self.refuse(["validate", "collective.csv"], "--platform: is missing", "dgx-h100")
        self.refuse(["calibrate", "collective.csv", "--device", "h200", "--out", "x.yaml"], "is measured on a platform")

    def test_collectives(self):
        for old, new, column in (("all_reduce,8", "all_reduc,8", "op"), ("all_reduce,8,8", "all_reduce,1,8", "devices"),
                                 ("all_reduce,8,8", "all_reduce,8,3", "devices_per_node"), ("1048576,40", "0,40", "bytes"),
                                 ("1048576,40", "1048576,-4", "time_us")):
            self.write("bad.csv", COLLECTIVES.replace(old, new))
            self.refuse(["validate", "bad.csv", "--platform", "dgx-h100"], f"bad.csv:2: {column}: ")

    def test_held_out_rows_alone_cannot_be_fitted(self):
        self.write("training.csv", "model,config,dtype,memory,iteration_ms\nalexnet,batch=64,bf16,resident,2.2\n")
        self.refuse(["calibrate", "training.csv", "--device", "h200", "--out", "x.yaml"], "calibration does not fit")


if __name__ == "__main__":
    unittest.main()
