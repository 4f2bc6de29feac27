// One slice of k: every thread has whole sums, and stores them.
fn keep_sums(sums: ptr<function, Sums>, corner: vec2u, place: vec2u, thread: u32, slice: u32, part: u32) {
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
