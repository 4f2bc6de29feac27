"""The loop of average-of-a-large-model, and the same with TF32 for its products of float32."""

from loops import average_of_a_large_model as pair
from parts import in_tf32

ID = "tf32-average-of-a-large-model"
QUESTION = "Are products of float32 to blame in average-of-a-large-model? (Yes: the GPU is the bottleneck, and multiplies without tensor cores.)"
CHANGE = 'torch.set_float32_matmul_precision("high")'
CAUSE = "slow-kernels:float32"
FIRST = "slow-kernels:float32"
STACK = False


def build(device):
    return in_tf32(pair.build, device)
