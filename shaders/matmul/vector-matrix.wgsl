// C = alpha · A · B (+ C) for few rows: a workgroup makes 4·COLUMNS_4 entries of one row, and its threads cut k among them.
// Every value of B serves one multiply-add: nothing is shared, and many threads keep many reads on their way.
// Cost: B once for each row of A; the parts are added in two steps, GROUP at a time. Memory's bandwidth decides, whatever the arithmetic.
// Gain of all of it over the kernel before it, H200: 1.08 at 1×4096×4096.
override COLUMNS_4: u32 = 8; // 128 bytes of each row of B, a cache line
override SLICES: u32 = 128;
override GROUP: u32 = 16; // slices that a thread adds up in the first step; of the second there are SLICES / GROUP
override THREADS: u32 = COLUMNS_4 * SLICES;
override DEPTH: u32 = 4 * SLICES; // of k in a step of the workgroup
const PARTS = 1u; // of k, over the grid

var<workgroup> sh_sums: array<vec4f, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) thread: u32) {
  let row = workgroup.y;
  let column = workgroup.x * 4 * COLUMNS_4 + thread % COLUMNS_4 * B_UNIT;
  let slice = thread / COLUMNS_4;
  let b_row = size_n() / B_UNIT;
  // Four rows of B for each vector of A. The rest of k, where it is no whole number of steps, comes first.
  let steps = size_k() / DEPTH;
  let rest = size_k() - steps * DEPTH;
  var sum = vec4f();
  for (var k = slice; k < rest; k += SLICES) {
    sum += load_one_a(row * size_k() + k) * load_b(k * b_row + column / B_UNIT);
  }
  var a_at = (row * size_k() + rest) / A_UNIT + 4 / A_UNIT * slice;
  var b_at = (rest + 4 * slice) * b_row + column / B_UNIT;
  for (var step = 0u; step < MOST_STEPS; step += 1u) {
    if (step >= steps) {
      break;
    }
    let along = load_a(a_at);
    sum += along.x * load_b(b_at);
    sum += along.y * load_b(b_at + b_row);
    sum += along.z * load_b(b_at + 2 * b_row);
    sum += along.w * load_b(b_at + 3 * b_row);
    a_at += DEPTH / A_UNIT;
    b_at += DEPTH * b_row;
  }
  sh_sums[thread] = sum;
  workgroupBarrier(); // all slices are there
  let groups = SLICES / GROUP;
  if (thread < COLUMNS_4 * groups) {
    for (var i = 1u; i < GROUP; i += 1u) {
      sum += sh_sums[thread + i * COLUMNS_4 * groups];
    }
    sh_sums[thread] = sum;
  }
  workgroupBarrier(); // one sum is left for each group
  if (thread < COLUMNS_4) {
    for (var i = 1u; i < groups; i += 1u) {
      sum += sh_sums[thread + i * COLUMNS_4];
    }
    store_c(0, row, column, sum);
  }
}
