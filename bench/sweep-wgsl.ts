/** WGSL of the sweep's own: operands, the product that all variants are compared with, and the comparison. */
export const FILL = `
@group(0) @binding(0) var<uniform> params: vec4u;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
fn pcg(input: u32) -> u32 {
  let state = input * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) grid: vec3u) {
  for (var i = thread.x; i < params.x; i += grid.x * 256u) {
    out[i] = f32(pcg(i + params.y)) / 2147483648.0 - 1.0;
  }
}`
export const PLAIN = `
@group(0) @binding(0) var<uniform> params: vec4u;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<atomic<u32>>;
// In runs of 512 steps of k, whose sums are added: a sum of millions of products is then as exact as the variants' own.
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) thread: vec3u) {
  if (thread.y >= params.x || thread.x >= params.y) { return; }
  var sum = 0.0;
  for (var k = 0u; k < params.z;) {
    var run = 0.0;
    for (let end = min(k + 512u, params.z); k < end; k += 1u) {
      run += a[thread.y * params.z + k] * b[k * params.y + thread.x];
    }
    sum += run;
  }
  atomicStore(&c[thread.y * params.y + thread.x], bitcast<u32>(sum));
}`
export const COMPARE = `
@group(0) @binding(0) var<uniform> params: vec4u;
@group(0) @binding(1) var<storage, read> expected: array<f32>;
@group(0) @binding(2) var<storage, read> got: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<atomic<u32>, 2>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) grid: vec3u) {
  for (var i = thread.x; i < params.x; i += grid.x * 256u) {
    let error = abs(got[i] - expected[i]);
    if (!(error <= bitcast<f32>(params.w))) { atomicAdd(&out[0], 1u); }
    atomicMax(&out[1], bitcast<u32>(error));
  }
}`
