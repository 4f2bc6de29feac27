// A workgroup computes 32 × 32 entries, and each invocation keeps four sums in registers.
@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

const T = 16u;
var<workgroup> left: array<array<f32, T>, 32>;
var<workgroup> right: array<array<f32, 32>, T>;

fn of_a(row: u32, k: u32) -> f32 {
  return select(0.0, a[min(row, n - 1u) * n + min(k, n - 1u)], k < n);
}

fn of_b(k: u32, column: u32) -> f32 {
  return select(0.0, b[min(k, n - 1u) * n + min(column, n - 1u)], k < n);
}

fn put(row: u32, column: u32, sums: vec2f) {
  if (row < n && column < n) {
    c[row * n + column] = sums.x;
  }
  if (row < n && column + T < n) {
    c[row * n + column + T] = sums.y;
  }
}

@compute @workgroup_size(16, 16)
fn main(
  @builtin(workgroup_id) block: vec3u,
  @builtin(local_invocation_id) own: vec3u,
) {
  if (32u * max(block.x, block.y) >= n) {
    return; // the whole workgroup: it has no part of C
  }
  let row = 32u * block.y + own.y; // and 16 below
  let column = 32u * block.x + own.x; // and 16 to the right

  var upper = vec2f();
  var lower = vec2f();
  for (var first = 0u; first < n; first += T) {
    left[own.y][own.x] = of_a(row, first + own.x);
    left[own.y + T][own.x] = of_a(row + T, first + own.x);
    right[own.y][own.x] = of_b(first + own.y, column);
    right[own.y][own.x + T] = of_b(first + own.y, column + T);
    workgroupBarrier(); // the tiles are complete

    for (var k = 0u; k < T; k += 1u) {
      let entries = vec2f(right[k][own.x], right[k][own.x + T]);
      upper += left[own.y][k] * entries;
      lower += left[own.y + T][k] * entries;
    }
    workgroupBarrier(); // all have read them
  }
  put(row, column, upper);
  put(row + T, column, lower);
}
