// Texts and examples of --help.
#pragma once

namespace cairn::app {

inline constexpr const char* kAbout =
    "Predicts the training step time of an AI system that may not exist yet, and explains it.";

inline constexpr const char* kExample =
    "Examples:\n"
    "  cairn run vgg-e-on-mc-dla\n"
    "  cairn collective --platform ring:1024@25GB/s,500ns --op all_reduce --size \"100 MB\"\n"
    "  cairn model llama-3.1-70b\n"
    "  cairn platform dgx1v\n"
    "  cairn chip v100\n"
    "  cairn kernel gemm --device h200 --m 4096 --n 4096 --k 4096 --precision bf16\n"
    "  cairn search my/search.yaml\n"
    "  cairn study mc-dla --report mc-dla.html\n"
    "  cairn list platforms\n"
    "\n"
    "Exit status: 0 success, 2 invalid input, 3 infeasible, 70 a bug in cairn.\n"
    "Names of platforms, devices, chips, models and designs are looked up in $CAIRN_DATA first\n"
    "(platforms in $CAIRN_DATA/platforms and so on), then in the data bundled with cairn.";

inline constexpr const char* kRunExample =
    "Examples:\n"
    "  cairn run llama-3.1-70b --device h100 --devices 256 --strategy tp8-pp4-dp8\n"
    "  cairn run vgg-e-on-mc-dla\n"
    "  cairn run vgg-e-on-dc-dla --set strategy.batch=256 --set platform.pcie_bandwidth=\"22 "
    "GB/s\"\n"
    "  cairn run language-model-on-512-v100 --set strategy.spread=CR-16-d32\n"
    "  cairn run vgg-e-on-mc-dla --set model=resnet-50 --json --detail\n"
    "  cairn run vgg-e-on-mc-dla --report step.html --trace step.json --plot pictures";

inline constexpr const char* kCollectiveExample =
    "Examples:\n"
    "  cairn collective --platform ring:1024@25GB/s,500ns --op all_reduce --size \"100 MB\"\n"
    "  cairn collective --platform dgx1v --size \"1 KiB..1 GiB\"\n"
    "  cairn collective --platform ace-4x4x4 --size \"1 GB\" --algorithm hierarchical \\\n"
    "      --chunk-size \"64 KiB\" --set latency=\"0 s\" --json\n"
    "  cairn collective --platform ace-4x4x4 --algorithm hierarchical --endpoint cores \\\n"
    "      --set endpoint.sms=6 --set endpoint.memory=\"450 GB/s\"\n"
    "  cairn collective --platform dgx1v --op broadcast --size \"8 MiB\" --group 0-3 --root 1 \\\n"
    "      --trace broadcast.json";

inline constexpr const char* kModelExample =
    "Examples:\n"
    "  cairn model llama-3.1-70b\n"
    "  cairn model my/config.json --seq 32768 --json\n"
    "  cairn model llama-3.1-405b --set layers=63";

inline constexpr const char* kPlatformExample =
    "Examples:\n"
    "  cairn platform mc-dla-ring\n"
    "  cairn platform torus:4x4@25GB/s,500ns --dot | neato -Tsvg > torus.svg\n"
    "  cairn platform dgx1v --set bandwidth=\"50 GB/s\" --json";

inline constexpr const char* kChipExample =
    "Examples:\n"
    "  cairn chip v100\n"
    "  cairn chip v100 --set node=\"7 nm\" --set main_memory.technology=hbm2e\n"
    "  cairn chip v100 --set core.technology.frequency=\"1.5 GHz\" --set core.power=0.3 --json";

inline constexpr const char* kKernelExample =
    "Examples:\n"
    "  cairn kernel gemm --device h200 --m 4096 --n 4096 --k 4096 --precision bf16\n"
    "  cairn kernel convolution --device a100 --batch 32 --pass weight_gradient \\\n"
    "      --input \"{channels: 64, height: 56, width: 56}\" --layer \"{channels: 64, kernel: 3, "
    "pad: "
    "1}\"\n"
    "  cairn kernel softmax --device chip:v100 --batch 512 --input \"{channels: 50000}\" --json\n"
    "  cairn kernel gemm --device a100 --m 64 --n 4096 --k 4096 --set cores.frequency=\"1 GHz\"";

inline constexpr const char* kValidateExample =
    "Examples:\n"
    "  cairn validate data/measurements/h200/gemm.csv --device h200\n"
    "  cairn validate gemm.csv --device my-gpu.yaml --plot pictures\n"
    "  cairn validate collective.csv --platform dgx-h100\n"
    "  cairn validate ground_truth_single.csv --device a100 --platform dgx-a100\n"
    "  cairn validate conv.csv --device h200 --set memory.utilization=0.9 --json";

inline constexpr const char* kCalibrateExample =
    "Examples:\n"
    "  cairn calibrate data/measurements/h200/gemm.csv data/measurements/h200/memory_bound.csv \\\n"
    "      --device h200 --out my-gpu.yaml\n"
    "  cairn validate training.csv --device my-gpu.yaml";

inline constexpr const char* kCompareExample =
    "Examples:\n"
    "  cairn run vgg-e-on-dc-dla --json --detail > before.json\n"
    "  cairn run vgg-e-on-mc-dla --json --detail > after.json\n"
    "  cairn compare before.json after.json --report difference.html\n"
    "  cairn compare vgg-e-on-dc-dla vgg-e-on-hc-dla vgg-e-on-mc-dla";

inline constexpr const char* kListExample =
    "Examples:\n"
    "  cairn list platforms\n"
    "  cairn list topologies torus\n"
    "  cairn list layers convolution\n"
    "  cairn list algorithms --json";

inline constexpr const char* kStudyExample =
    "Examples:\n"
    "  cairn study ace --set assumptions.accounting.value=exact\n"
    "  cairn study ace-memory-nodes\n"
    "  cairn study co-design --plot pictures\n"
    "  cairn study mc-dla\n"
    "  cairn study deepflow-intensity --plot pictures\n"
    "  cairn study deepflow-package --set assumptions.search_chips.value=false\n"
    "  cairn study deepflow-parallelism --set nodes=\"[12 nm, 3 nm]\"\n"
    "  cairn study deepflow-strategies --set assumptions.resharding.value=all_to_all\n"
    "  cairn study deepflow-technology --set nodes=\"[7 nm, 5 nm, 3 nm]\"\n"
    "  cairn study mc-dla --plot pictures\n"
    "  cairn study mc-dla --range\n"
    "  cairn study mc-dla --set assumptions.pcie_bandwidth.value=\"16 GB/s\" --json";

inline constexpr const char* kSearchExample =
    "Examples:\n"
    "  cairn search language-model-strategies\n"
    "  cairn search my/search.yaml --threads 4 --out best\n"
    "  cairn search my/search.yaml --store trials.db --resume\n"
    "  cairn search --from trials.db --csv trials.csv\n"
    "  mpirun -n 8 cairn search my/search.yaml --store trials.db\n"
    "  cairn search my/search.yaml --set algorithm.seed=7 --json";

inline constexpr const char* kSensitivityExample =
    "Examples:\n"
    "  cairn sensitivity vgg-e-on-mc-dla\n"
    "  cairn sensitivity my/design.yaml --to 2x --json";

}  // namespace cairn::app
