"""The networks whose training steps are measured, from the layer tables of their papers."""
import torch
from torch import nn
from torch.nn import functional


class Sum(nn.Module):
    """The sum of the body and the residual connection."""

    def __init__(self, body, shortcut):
        super().__init__()
        self.body, self.shortcut = body, shortcut

    def forward(self, x):
        return functional.relu(self.body(x) + self.shortcut(x))


class Concat(nn.Module):
    def __init__(self, *branches):
        super().__init__()
        self.branches = nn.ModuleList(branches)

    def forward(self, x):
        return torch.cat([branch(x) for branch in self.branches], 1)


def relu():
    return nn.ReLU(inplace=True)


def classifier(*sizes):
    layers = [nn.Flatten()]
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), relu()]
    return layers[:-1]


def alexnet():
    """Krizhevsky et al. 2012, ungrouped."""
    def conv(c, k, r, **settings):
        return [nn.Conv2d(c, k, r, bias=False, **settings), relu()]
    return nn.Sequential(*conv(3, 96, 11, stride=4), nn.MaxPool2d(3, 2), *conv(96, 256, 5, padding=2), nn.MaxPool2d(3, 2),
                         *conv(256, 384, 3, padding=1), *conv(384, 384, 3, padding=1), *conv(384, 256, 3, padding=1),
                         nn.MaxPool2d(3, 2), *classifier(9216, 4096, 4096, 1000)), 227


def vgg19():
    """Simonyan and Zisserman 2015, configuration E."""
    layers, c = [], 3
    for k, count in ((64, 2), (128, 2), (256, 4), (512, 4), (512, 4)):
        for _ in range(count):
            layers += [nn.Conv2d(c, k, 3, padding=1, bias=False), relu()]
            c = k
        layers.append(nn.MaxPool2d(2))
    return nn.Sequential(*layers, *classifier(25088, 4096, 4096, 1000)), 224


def googlenet():
    """Szegedy et al. 2015, without the auxiliary classifiers."""
    def conv(c, k, r, **settings):
        return nn.Sequential(nn.Conv2d(c, k, r, bias=False, **settings), relu())

    def inception(c, one, three_in, three, five_in, five, pooled):
        return Concat(conv(c, one, 1), nn.Sequential(conv(c, three_in, 1), conv(three_in, three, 3, padding=1)),
                      nn.Sequential(conv(c, five_in, 1), conv(five_in, five, 5, padding=2)),
                      nn.Sequential(nn.MaxPool2d(3, 1, padding=1), conv(c, pooled, 1)))

    def pool():
        return nn.MaxPool2d(3, 2, ceil_mode=True)

    return nn.Sequential(conv(3, 64, 7, stride=2, padding=3), pool(), conv(64, 64, 1), conv(64, 192, 3, padding=1), pool(),
                         inception(192, 64, 96, 128, 16, 32, 32), inception(256, 128, 128, 192, 32, 96, 64), pool(),
                         inception(480, 192, 96, 208, 16, 48, 64), inception(512, 160, 112, 224, 24, 64, 64),
                         inception(512, 128, 128, 256, 24, 64, 64), inception(512, 112, 144, 288, 32, 64, 64),
                         inception(528, 256, 160, 320, 32, 128, 128), pool(),
                         inception(832, 256, 160, 320, 32, 128, 128), inception(832, 384, 192, 384, 48, 128, 128),
                         nn.AdaptiveAvgPool2d(1), *classifier(1024, 1000)), 224


def resnet(blocks, bottleneck):
    """He et al. 2016; residual connections that change the shape are projections."""
    def unit(c, k, r, stride=1, last=False):
        return [nn.Conv2d(c, k, r, stride=stride, padding=r // 2, bias=False), nn.BatchNorm2d(k)] + ([] if last else [relu()])

    def block(c, width, out, stride):
        body = (unit(c, width, 1) + unit(width, width, 3, stride) + unit(width, out, 1, last=True) if bottleneck else
                unit(c, width, 3, stride) + unit(width, out, 3, last=True))
        shortcut = nn.Identity() if c == out and stride == 1 else nn.Sequential(*unit(c, out, 1, stride, last=True))
        return Sum(nn.Sequential(*body), shortcut)

    layers, c = unit(3, 64, 7, 2) + [nn.MaxPool2d(3, 2, padding=1)], 64
    for stage, count in enumerate(blocks):
        width = 64 << stage
        out = 4 * width if bottleneck else width
        for i in range(count):
            layers.append(block(c, width, out, 2 if stage > 0 and i == 0 else 1))
            c = out
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), *classifier(c, 1000)), 224


IMAGE_NETWORKS = {"alexnet": alexnet, "vgg19": vgg19, "googlenet": googlenet,
                  "resnet34": lambda: resnet((3, 4, 6, 3), False), "resnet50": lambda: resnet((3, 4, 6, 3), True)}


class LanguageModel(nn.Module):
    """Embedding, LSTM layers, and a softmax over the vocabulary at each step."""

    def __init__(self, layers, hidden, vocab):
        super().__init__()
        self.words = nn.Embedding(vocab, hidden)
        self.cells = nn.LSTM(hidden, hidden, layers)
        self.head = nn.Linear(hidden, vocab, bias=False)

    def forward(self, x):
        return self.head(self.cells(self.words(x))[0])


RECURRENT = {"vanilla": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}
