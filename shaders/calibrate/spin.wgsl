// Keeps the device at work for a chosen time: a chain of fused multiply-adds in which each needs the one before it.
// Its length is a uniform, so one pipeline serves every time; the stored result keeps the loop from being removed.
// Cost: `iterations` times the latency of one FMA, in one workgroup: the rest of the device stays free and memory idle.
struct SpinParams {
  iterations: u32,
  factor: f32,
  addend: f32,
}

@group(0) @binding(0) var<uniform> params: SpinParams;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) thread: u32) {
  var value = f32(thread);
  for (var i = 0u; i < params.iterations; i += 1u) {
    value = fma(value, params.factor, params.addend);
  }
  results[thread] = value;
}
