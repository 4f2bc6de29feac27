// C = alpha · the sum of PARTS matrices (+ C): where the grid cut k into parts, this adds them up. A thread makes one Value of C.
// The second of two dispatches: the parts have to be in memory before they can be read.
// Cost: PARTS reads and a write for each entry, side by side; memory's bandwidth decides.
// Gain of 16 parts over the best without, H200: 1.29 at 64×4096×4096.
override ACCUMULATE: bool = false;
override PARTS: u32 = 1;

@group(0) @binding(0) var<uniform> params: MatmulParams;
@group(0) @binding(1) var<storage, read> parts: array<Value>;
@group(0) @binding(2) var<storage, read_write> c: array<Value>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) grid: vec3u) {
  let at = thread.y * grid.x * 64 + thread.x;
  let count = params.m * params.n / VALUE; // C may be longer
  if (at >= count) {
    return;
  }
  var sum = Value();
  for (var part = 0u; part < PARTS; part += 1u) {
    sum += parts[part * count + at];
  }
  var result = params.alpha * sum;
  if (ACCUMULATE) {
    result += c[at];
  }
  c[at] = result;
}
