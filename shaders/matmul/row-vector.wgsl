// C = alpha · A · B (+ C) for few rows: a workgroup makes 4·COLUMNS_4 entries of one row of C; its threads cut k among them.
// Every value of B is read for one multiply-add only, so nothing is worth sharing: many threads keep many reads on their way.
// Cost: B once for each row of A, and one sum over the slices at the end. Memory's bandwidth decides, whatever the arithmetic.
override COLUMNS_4: u32 = 8; // 128 bytes of each row of B, a cache line
override SLICES: u32 = 32; // a power of two
override THREADS: u32 = COLUMNS_4 * SLICES;

var<workgroup> sh_sums: array<vec4f, THREADS>;

// Four rows of B, each times its value of a row of A.
fn four_steps(row: u32, k: u32, column: u32) -> vec4f {
  let along = load_a(row, k);
  return along.x * load_b(k, column) + along.y * load_b(k + 1, column) + along.z * load_b(k + 2, column) + along.w * load_b(k + 3, column);
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) thread: u32) {
  let row = workgroup.y;
  let column = 4 * (workgroup.x * COLUMNS_4 + thread % COLUMNS_4);
  let stride = 4 * SLICES;
  // Two sums: the reads of the second need not wait for the arithmetic of the first.
  var even = vec4f();
  var odd = vec4f();
  for (var k = thread / COLUMNS_4 * 4; k < params.k; k += 2 * stride) {
    even += four_steps(row, k, column);
    if (k + stride < params.k) {
      odd += four_steps(row, k + stride, column);
    }
  }
  sh_sums[thread] = even + odd;
  workgroupBarrier(); // all slices are there
  for (var half = THREADS / 2; half >= COLUMNS_4; half /= 2) {
    if (thread < half) {
      sh_sums[thread] += sh_sums[thread + half];
    }
    workgroupBarrier(); // half as many are left
  }
  if (thread < COLUMNS_4) {
    store_c(row, column, sh_sums[thread]);
  }
}
