// C = alpha · A · B (+ C), one thread for each entry of C: a row of A times a column of B, straight from memory.
// Neighbours in x take neighbouring columns: threads that run together read B and write C side by side, in whole cache lines.
// Cost: still two 4-byte reads for each multiply-add. The caches and their bandwidth decide, not the arithmetic.
override ACCUMULATE: bool = false;
override WORKGROUP_X: u32 = 16;
override WORKGROUP_Y: u32 = 16;

@group(0) @binding(0) var<uniform> params: MatmulParams;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(WORKGROUP_X, WORKGROUP_Y)
fn main(@builtin(global_invocation_id) thread: vec3u) {
  let row = thread.y;
  let column = thread.x;
  // The grid is made of whole workgroups: some threads lie beyond the matrix.
  if (row >= params.m || column >= params.n) {
    return;
  }
  var sum = 0.0;
  for (var k = 0u; k < params.k; k += 1u) {
    sum += a[row * params.k + k] * b[k * params.n + column];
  }
  let at = row * params.n + column;
  var result = params.alpha * sum;
  if (ACCUMULATE) {
    result += c[at];
  }
  c[at] = result;
}
