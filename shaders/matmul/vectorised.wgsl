// C = alpha · A · B (+ C); each thread keeps a 16 × 8 block of C in registers, a workgroup a tile of 16·THREADS_M × 8·THREADS_N.
// Memory and workgroup memory are read in vectors of four; for that the tile of A is transposed on its way in.
// Cost: 6 vector reads of workgroup memory for 128 multiply-adds, so arithmetic decides; 128 registers for the sums alone.
override THREADS_M: u32 = 8;
override THREADS_N: u32 = 16;
override TILE_K: u32 = 16; // a multiple of THREADS_M and of THREADS_N: all threads load equally much
override THREADS: u32 = THREADS_M * THREADS_N;
override ROWS_4: u32 = 4 * THREADS_M; // rows of the tile in fours, 4 for each thread
override COLUMNS_4: u32 = 2 * THREADS_N; // columns in fours, 2 for each thread

// Fours of a column of A, and of a row of B. Only whole vectors are written: to write one component may touch all four.
var<workgroup> sh_a: array<vec4f, TILE_K * ROWS_4>;
var<workgroup> sh_b: array<vec4f, TILE_K * COLUMNS_4>;

// A thread's sums: 4 blocks down and 2 across, each 4 rows of 4. Only constant indices: with others they would leave the registers.
alias Sums = array<mat4x4f, 8>;

// Keeps a 4 × 4 block of A, given as its columns. Neighbouring slots lie below each other and are neighbours in memory.
fn share_a(slot: u32, columns: mat4x4f) {
  let at = slot / ROWS_4 * 4 * ROWS_4 + slot % ROWS_4;
  sh_a[at] = columns[0];
  sh_a[at + ROWS_4] = columns[1];
  sh_a[at + 2 * ROWS_4] = columns[2];
  sh_a[at + 3 * ROWS_4] = columns[3];
}

fn load_tiles(corner: vec2u, start: u32, thread: u32) {
  for (var i = 0u; i < TILE_K / THREADS_N; i += 1u) {
    let slot = thread + i * THREADS;
    let row = corner.y + slot % ROWS_4 * 4;
    let k = start + slot / ROWS_4 * 4;
    share_a(slot, transpose(mat4x4f(load_a(row, k), load_a(row + 1, k), load_a(row + 2, k), load_a(row + 3, k))));
  }
  for (var i = 0u; i < 2 * TILE_K / THREADS_M; i += 1u) {
    let slot = thread + i * THREADS;
    sh_b[slot] = load_b(start + slot / COLUMNS_4, corner.x + slot % COLUMNS_4 * 4);
  }
}

// Adds all products of four rows with four columns.
fn add_outer(sum: mat4x4f, down: vec4f, across: vec4f) -> mat4x4f {
  return mat4x4f(
    fma(vec4f(down.x), across, sum[0]),
    fma(vec4f(down.y), across, sum[1]),
    fma(vec4f(down.z), across, sum[2]),
    fma(vec4f(down.w), across, sum[3]),
  );
}

fn multiply_tiles(sums: ptr<function, Sums>, local: vec2u) {
  for (var k = 0u; k < TILE_K; k += 1u) {
    // A thread's blocks lie a whole row of threads apart: neighbouring threads then read neighbouring vectors.
    let left = k * ROWS_4 + local.y;
    let top = k * COLUMNS_4 + local.x;
    let b_0 = sh_b[top];
    let b_1 = sh_b[top + THREADS_N];
    let a_0 = sh_a[left];
    (*sums)[0] = add_outer((*sums)[0], a_0, b_0);
    (*sums)[1] = add_outer((*sums)[1], a_0, b_1);
    let a_1 = sh_a[left + THREADS_M];
    (*sums)[2] = add_outer((*sums)[2], a_1, b_0);
    (*sums)[3] = add_outer((*sums)[3], a_1, b_1);
    let a_2 = sh_a[left + 2 * THREADS_M];
    (*sums)[4] = add_outer((*sums)[4], a_2, b_0);
    (*sums)[5] = add_outer((*sums)[5], a_2, b_1);
    let a_3 = sh_a[left + 3 * THREADS_M];
    (*sums)[6] = add_outer((*sums)[6], a_3, b_0);
    (*sums)[7] = add_outer((*sums)[7], a_3, b_1);
  }
}

fn store_block(row: u32, column: u32, block: mat4x4f) {
  store_c(row, column, block[0]);
  store_c(row + 1, column, block[1]);
  store_c(row + 2, column, block[2]);
  store_c(row + 3, column, block[3]);
}

@compute @workgroup_size(THREADS_N, THREADS_M)
fn main(
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let corner = 4 * workgroup.xy * vec2u(COLUMNS_4, ROWS_4);
  var sums: Sums;
  for (var start = 0u; start < params.k; start += TILE_K) {
    load_tiles(corner, start, thread);
    workgroupBarrier(); // the tiles are complete
    multiply_tiles(&sums, local.xy);
    workgroupBarrier(); // everyone has read them: the next may overwrite them
  }
  let left = corner + 4 * local.xy;
  let right = left + vec2u(4 * THREADS_N, 0);
  store_block(left.y, left.x, sums[0]);
  store_block(right.y, right.x, sums[1]);
  store_block(left.y + 4 * THREADS_M, left.x, sums[2]);
  store_block(right.y + 4 * THREADS_M, right.x, sums[3]);
  store_block(left.y + 8 * THREADS_M, left.x, sums[4]);
  store_block(right.y + 8 * THREADS_M, right.x, sums[5]);
  store_block(left.y + 12 * THREADS_M, left.x, sums[6]);
  store_block(right.y + 12 * THREADS_M, right.x, sums[7]);
}
