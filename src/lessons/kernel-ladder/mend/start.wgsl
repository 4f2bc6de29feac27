// C = A · B for n × n matrices of f32, row after row in memory. One invocation computes one entry of C, and reads a row of A and a column of B for it.
// The lab starts ⌈n / 16⌉ × ⌈n / 16⌉ workgroups of this shader, for an n that may end in the middle of a workgroup.
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
  for (var k = 0u; k < n; k += 1u) {
    sum += a[row * n + k] * b[k * n + column];
  }
  c[row * n + column] = sum;
}
