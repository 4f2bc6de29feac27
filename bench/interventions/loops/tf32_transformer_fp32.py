"""The loop of transformer-fp32, and the same with TF32 for its products of float32."""

from loops import transformer_fp32 as pair
from parts import in_tf32

ID = "tf32-transformer-fp32"
QUESTION = "Are products of float32 to blame in transformer-fp32? (Yes: 80 % of the step are such products.)"
CHANGE = 'torch.set_float32_matmul_precision("high")'
CAUSE = "slow-kernels:float32"
FIRST = "slow-kernels:float32"
STACK = False


def build(device):
    return in_tf32(pair.build, device)
