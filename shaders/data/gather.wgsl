// Copies words from pseudo-random positions of a buffer: after an upload they show, bit for bit, what has arrived.
// Words, not floats: a float may lose the bits of a NaN on its way. src/gpu/kernels/data/gather.ts knows the positions.
// Cost: one scattered 4-byte read a thread, one workgroup: microseconds, whatever the size of the buffer.
struct GatherParams {
  word_count: u32,
  seed: u32,
  out_offset: u32,
}

@group(0) @binding(0) var<uniform> params: GatherParams;
@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(2) var<storage, read_write> gathered: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32) {
  let position = random_word(thread, params.seed) % params.word_count;
  gathered[params.out_offset + thread] = words[position];
}
