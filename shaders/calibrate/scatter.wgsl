// Reads in an order that no cache foresees, each at a place that the one before it decides:
// about the slowest iteration that a loop has.
// Cost: `iterations` times the latency of memory for one workgroup, and a share of its bandwidth for many.
struct ScatterParams {
  iterations: u32,
  mask: u32,
}

@group(0) @binding(0) var<uniform> params: ScatterParams;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  var at = id.x * 2654435761u;
  for (var i = 0u; i < params.iterations; i += 1u) {
    at = at * 1664525u + 1013904223u + words[(at >> 8u) & params.mask];
  }
  words[id.x & params.mask] = at;
}
