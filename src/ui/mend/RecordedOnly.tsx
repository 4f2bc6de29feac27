/** Without WebGPU nothing runs: the program can still be written, and is kept. */
export const RecordedOnly = () => (
  <p className="notice mend-run" role="note">
    This browser gives no GPU to the page, so your program cannot run here. You can read it, change it and see
    the lab’s own mend; what you write is kept on this device.
  </p>
)
