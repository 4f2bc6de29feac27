// One slice of k: every thread has whole sums, and stores them.
// Rows of C that begin anywhere go through the memory of the tiles, a row of each thread's block at a time: the lanes of a warp then store
// neighbouring values of one row. As the threads have them, they would store eight here and eight there, and sectors of memory in parts.
// Gain of whole rows, H200: 1.50 at 4095×4095×63.
const ROW_FOURS = LINE_4 * THREADS_LONG; // of the workgroup's tile

fn store_row(sums: ptr<function, Sums>, short: u32, row: u32, corner: vec2u, place: vec2u, thread: u32, part: u32) {
  for (var long = 0u; long < LINE_4; long += 1u) {
    sh_long[0][place.y % TILE_K][long][place.x % THREADS_LONG] = (*sums)[4 * short + row][long];
  }
  workgroupBarrier(); // a row of each block is there
  let four = thread % ROW_FOURS;
  for (var i = 0u; i < LINE_4; i += 1u) {
    let line = (thread + i * THREADS) / ROW_FOURS;
    let values = sh_long[0][line % TILE_K][four / THREADS_LONG][four % THREADS_LONG];
    store_c(part, corner.y + 4 * (short * THREADS_SHORT + line) + row, corner.x + B_UNIT * four, values);
  }
  workgroupBarrier(); // everyone has read them: the next may overwrite them
}

// Written out: in a loop with barriers the sums would leave the registers.
fn store_four_rows(sums: ptr<function, Sums>, short: u32, corner: vec2u, place: vec2u, thread: u32, part: u32) {
  store_row(sums, short, 0, corner, place, thread, part);
  store_row(sums, short, 1, corner, place, thread, part);
  store_row(sums, short, 2, corner, place, thread, part);
  store_row(sums, short, 3, corner, place, thread, part);
}

fn keep_sums(sums: ptr<function, Sums>, corner: vec2u, place: vec2u, thread: u32, slice: u32, part: u32) {
  if (B_UNIT == 1 && ALONG_ROWS && THREADS_SHORT <= TILE_K) {
    store_four_rows(sums, 0, corner, place, thread, part);
    store_four_rows(sums, 1, corner, place, thread, part);
    return;
  }
  for (var short = 0u; short < SHORT_4; short += 1u) {
    for (var long = 0u; long < LINE_4; long += 1u) {
      let at = corner + corner_of_block(place, short, long);
      let rows = block_of(sums, short, long);
      for (var row = 0u; row < 4; row += 1u) {
        store_c(part, at.y + row, at.x, rows[row]);
      }
    }
  }
}
