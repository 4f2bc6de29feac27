// Fills a buffer with pseudo-random 32-bit integers: word i is a hash of the seed and of i, so no word waits for the one before it.
// Integers, and unsigned: host and device agree to the last bit. src/gpu/kernels/pcg.ts has the same words.
// Cost: one 4-byte write an element. A fixed number of threads strides over the buffer, however large it is.
struct RandomParams {
  seed: u32,
  count: u32,
}

@group(0) @binding(0) var<uniform> params: RandomParams;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

const THREADS = 256u;

@compute @workgroup_size(THREADS)
fn main(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let first = pcg(params.seed); // where in all words the stream of this seed begins
  for (var index = thread.x; index < params.count; index += workgroups.x * THREADS) {
    words[index] = pcg(index + first);
  }
}
