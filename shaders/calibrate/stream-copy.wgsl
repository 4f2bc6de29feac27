// Copies a buffer to another in vectors of four, adding a number on the way: so many bytes read, so many written, and nothing else.
// The number is for the check: after N copies to and fro every value is larger by N, so a copy that was skipped shows.
// Cost: 32 bytes moved for 4 additions. Buffers far larger than the caches make memory decide, and memory alone.
struct StreamCopyParams {
  count_4: u32,
  addend: f32,
}

@group(0) @binding(0) var<uniform> params: StreamCopyParams;
@group(0) @binding(1) var<storage, read> source: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> target_values: array<vec4f>;

// Neighbouring threads take neighbouring vectors; all together stride over the buffer, however large it is.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = workgroups.x * 256;
  for (var index = thread.x; index < params.count_4; index += stride) {
    target_values[index] = source[index] + params.addend;
  }
}
