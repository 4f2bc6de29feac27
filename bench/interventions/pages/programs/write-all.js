// Found: each step writes a buffer of 16 MiB. Changed: it writes the 64 KiB that are new.
export const steps = 40

export default function make({ device, kernel, submit, pacer }) {
  const work = kernel(1)
  const pace = pacer()
  const all = new Uint8Array(1 << 24)
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST
  const buffer = device.createBuffer({ size: all.length, usage })
  const write = async (bytes) => {
    device.queue.writeBuffer(buffer, 0, all, 0, bytes)
    submit(work)
    await pace()
  }
  return { found: () => write(all.length), changed: () => write(1 << 16) }
}
