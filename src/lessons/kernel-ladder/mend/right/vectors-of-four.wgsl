// Each invocation computes four neighbouring entries, and reads the tiles in vectors of four.
@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

const T = 16u;
var<workgroup> left: array<array<vec4f, 4>, T>;
var<workgroup> right: array<array<vec4f, 4>, T>;

fn of_a(row: u32, k: u32) -> f32 {
  return select(0.0, a[min(row, n - 1u) * n + min(k, n - 1u)], k < n);
}

fn of_b(k: u32, column: u32) -> f32 {
  return select(0.0, b[min(k, n - 1u) * n + min(column, n - 1u)], k < n);
}

@compute @workgroup_size(4, 16)
fn main(
  @builtin(workgroup_id) block: vec3u,
  @builtin(local_invocation_id) own: vec3u,
) {
  let row = T * block.y + own.y;
  let column = T * block.x + 4u * own.x; // of four

  var sum = vec4f();
  for (var first = 0u; first < n; first += T) {
    let k = first + 4u * own.x;
    let y = first + own.y;
    left[own.y][own.x] = vec4f(of_a(row, k), of_a(row, k + 1u), of_a(row, k + 2u), of_a(row, k + 3u));
    right[own.y][own.x] = vec4f(of_b(y, column), of_b(y, column + 1u), of_b(y, column + 2u), of_b(y, column + 3u));
    workgroupBarrier(); // the tiles are complete

    for (var part = 0u; part < 4u; part += 1u) {
      let entries = left[own.y][part];
      sum += entries.x * right[4u * part][own.x];
      sum += entries.y * right[4u * part + 1u][own.x];
      sum += entries.z * right[4u * part + 2u][own.x];
      sum += entries.w * right[4u * part + 3u][own.x];
    }
    workgroupBarrier(); // all have read them
  }
  for (var i = 0u; i < 4u; i += 1u) {
    if (row < n && column + i < n) {
      c[row * n + column + i] = sum[i];
    }
  }
}
