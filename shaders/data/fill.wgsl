// Fills a buffer with pseudo-random f32 in [-1, 1), the same on every device; src/gpu/kernels/data/fill.ts has the same values.
// A multiple of 2^-23 below 1 has at most 24 significant bits: each value is an exact f32, nothing is rounded.
// Cost: one 4-byte write an element. A fixed number of threads strides over the buffer, however large it is.
struct FillParams {
  count: u32,
  seed: u32,
}

override WORKGROUP_SIZE: u32 = 256;

@group(0) @binding(0) var<uniform> params: FillParams;
@group(0) @binding(1) var<storage, read_write> values: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = workgroups.x * WORKGROUP_SIZE;
  for (var index = thread.x; index < params.count; index += stride) {
    let top_24_bits = i32(random_word(index, params.seed) >> 8u);
    values[index] = f32(top_24_bits - (1 << 23u)) * 0x1p-23f;
  }
}
