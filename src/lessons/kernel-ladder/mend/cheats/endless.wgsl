// Fails 'output': a loop that never ends, in every invocation.
@group(0) @binding(0) var<uniform> n: u32;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let row = id.y;
  let column = id.x; // side by side in memory
  if (row >= n || column >= n) {
    return;
  }

  var sum = 0.0;
  var k = 0u;
  loop {
    sum += a[row * n + k] * b[k * n + column];
    k = (k + 1u) % n;
    if (k == n) {
      break;
    }
  }
  c[row * n + column] = sum;
}
