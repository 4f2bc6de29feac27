"""The loop of clip-and-log-norm, and the same with TF32 for its products of float32."""

from loops import clip_and_log_norm as pair
from parts import in_tf32

ID = "tf32-clip-and-log-norm"
QUESTION = "Are products of float32 to blame in clip-and-log-norm? (Yes: the GPU is the bottleneck, and multiplies without tensor cores.)"
CHANGE = 'torch.set_float32_matmul_precision("high")'
CAUSE = "slow-kernels:float32"
FIRST = "slow-kernels:float32"
STACK = False


def build(device):
    return in_tf32(pair.build, device)
