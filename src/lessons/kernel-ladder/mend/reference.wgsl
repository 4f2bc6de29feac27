// The same product. A workgroup brings a tile of A and a tile of B into its own memory, and all its invocations read them there.
@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

const T = 16u;
var<workgroup> left: array<array<f32, T>, T>;
var<workgroup> right: array<array<f32, T>, T>;

@compute @workgroup_size(16, 16)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_id) own: vec3u,
) {
  let row = id.y;
  let column = id.x; // side by side in memory

  var sum = 0.0;
  for (var first = 0u; first < n; first += T) {
    let at_a = min(row, n - 1u) * n + min(first + own.x, n - 1u); // never outside
    let at_b = min(first + own.y, n - 1u) * n + min(column, n - 1u);
    left[own.y][own.x] = select(0.0, a[at_a], first + own.x < n); // 0 adds nothing
    right[own.y][own.x] = select(0.0, b[at_b], first + own.y < n);
    workgroupBarrier(); // the tiles are complete

    for (var k = 0u; k < T; k += 1u) {
      sum += left[own.y][k] * right[k][own.x];
    }
    workgroupBarrier(); // all have read them
  }
  if (row < n && column < n) {
    c[row * n + column] = sum;
  }
}
