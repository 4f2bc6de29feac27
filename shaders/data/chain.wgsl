// One of many small kernels that follow each other: each word w becomes (w ^ mask) * factor, modulo 2^32, so that another order, a kernel
// left out or one run twice gives other words. The first invocation counts the kernels that ran.
// Cost: launch overhead and nothing else.
struct ChainParams {
  mask: u32,
  factor: u32,
}

@group(0) @binding(0) var<uniform> params: ChainParams;
@group(0) @binding(1) var<storage, read_write> kernels_run: array<u32>;
@group(0) @binding(2) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x == 0u) {
    kernels_run[0] += 1u;
  }
  if (id.x < arrayLength(&words)) {
    words[id.x] = (words[id.x] ^ params.mask) * params.factor;
  }
}
