// C = alpha · A · B (+ C), one thread for each entry of C: a row of A times a column of B, straight from memory.
// Neighbours in x take neighbouring rows: threads that run together read A and write C a whole row apart, nothing side by side.
// Cost: two 4-byte reads for each multiply-add, those of A from a cache line each, of which one value at a time is used.
override ACCUMULATE: bool = false;
override WORKGROUP_X: u32 = 16;
override WORKGROUP_Y: u32 = 16;

@group(0) @binding(0) var<uniform> params: MatmulParams;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(WORKGROUP_X, WORKGROUP_Y)
fn main(@builtin(global_invocation_id) thread: vec3u) {
  let row = thread.x;
  let column = thread.y;
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
