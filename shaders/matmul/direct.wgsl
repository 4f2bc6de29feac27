// C = alpha · A · B (+ C), each thread ROWS × 4 entries of C, in vectors of four, straight from memory: nothing is shared, no one waits.
// Caches do what workgroup memory does in other kernels, as on a processor; that is where this one is for, and for small matrices.
// Cost: 5 vector reads for 16 multiply-adds with one row, 8 for 64 with four; no barrier, no tile to fill.
override ROWS: u32 = 4; // 1 or 4
override THREADS_M: u32 = 8;
override THREADS_N: u32 = 8;

@compute @workgroup_size(THREADS_N, THREADS_M)
fn main(@builtin(global_invocation_id) thread: vec3u) {
  let row = ROWS * thread.y;
  let column = 4 * thread.x;
  // The grid is made of whole workgroups: some threads lie beyond the matrix.
  if (row >= params.m || column >= params.n) {
    return;
  }
  var sums = mat4x4f(); // a row of C in each column
  for (var k = 0u; k < params.k; k += 4u) {
    // Rows of B as columns: times four values of a row of A they add up to a row of C.
    let across = mat4x4f(load_b(k, column), load_b(k + 1, column), load_b(k + 2, column), load_b(k + 3, column));
    sums[0] += across * load_a(row, k);
    if (ROWS > 1) {
      sums[1] += across * load_a(row + 1, k);
      sums[2] += across * load_a(row + 2, k);
      sums[3] += across * load_a(row + 3, k);
    }
  }
  store_c(row, column, sums[0]);
  if (ROWS > 1) {
    store_c(row + 1, column, sums[1]);
    store_c(row + 2, column, sums[2]);
    store_c(row + 3, column, sums[3]);
  }
}
