// Found: each step makes a mapped buffer of 8 MiB for a table. Changed: the table was made once.
export const steps = 40

export default function make({ device, kernel, submit, pacer }) {
  const work = kernel(1)
  const pace = pacer()
  const table = new Uint8Array(1 << 23).fill(1)
  const make = () => {
    const usage = GPUBufferUsage.STORAGE
    const buffer = device.createBuffer({ size: table.length, usage, mappedAtCreation: true })
    new Uint8Array(buffer.getMappedRange()).set(table)
    buffer.unmap()
    return buffer
  }
  return {
    async found() {
      const buffer = make()
      submit(work)
      buffer.destroy()
      await pace()
    },
    async changed() {
      submit(work)
      await pace()
    },
  }
}
