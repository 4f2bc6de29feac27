const SIDE = 32u; // of the square tile, and threads of a slice
const SLICES = 4u; // parts into which a workgroup cuts k, each with threads and tiles of its own
