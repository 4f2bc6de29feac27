// Loops of barriers, as many as an iteration of a mend's budget has room for: each waits for its whole workgroup.
// The writes between them keep a compiler from joining two.
// Cost: `iterations` times eight barriers, whose price is of another kind than that of memory.
struct BarriersParams {
  iterations: u32,
}

@group(0) @binding(0) var<uniform> params: BarriersParams;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

var<workgroup> shared_words: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) own: u32) {
  for (var i = 0u; i < params.iterations; i += 1u) {
    shared_words[own] += 1u;
    workgroupBarrier();
    shared_words[own] ^= i;
    storageBarrier();
    shared_words[own] += 1u;
    workgroupBarrier();
    shared_words[own] ^= i;
    storageBarrier();
    shared_words[own] += 1u;
    workgroupBarrier();
    shared_words[own] ^= i;
    workgroupBarrier();
    shared_words[own] += 1u;
    workgroupBarrier();
    shared_words[own] ^= i;
    workgroupBarrier();
  }
  words[id.x % arrayLength(&words)] = shared_words[own];
}
