// Adds up numbers: each workgroup writes the sum of its part, times a factor. A second dispatch over those sums makes one number of them.
// Neighbouring threads read neighbouring numbers; then half of them add the other half's sums, until one is left.
// Cost: every number is read once. Memory's bandwidth decides; the last steps are barriers and little else.
struct SumParams {
  count: u32,
  factor: f32,
}

@group(0) @binding(0) var<uniform> params: SumParams;
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums: array<f32>;

const THREADS = 64u; // more would wait for each other longer on adapters that compute on the CPU

var<workgroup> sh_sums: array<f32, THREADS>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(global_invocation_id) invocation: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
) {
  let stride = workgroups.x * THREADS;
  var sum = 0.0;
  for (var index = invocation.x; index < params.count; index += stride) {
    sum += values[index];
  }
  sh_sums[thread] = sum;
  workgroupBarrier(); // all sums are there
  for (var half = THREADS / 2; half >= 1; half /= 2) {
    if (thread < half) {
      sh_sums[thread] += sh_sums[thread + half];
    }
    workgroupBarrier(); // half as many are left
  }
  if (thread == 0) {
    sums[workgroup.x] = params.factor * sh_sums[0];
  }
}
