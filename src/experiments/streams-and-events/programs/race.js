// Calls that would race with the GPU in CUDA, where the program itself must know who has a buffer. What comes of each is noted.
export default async function ({ device, lab, input }) {
  const { matmuls, times, offsets, bytes } = input
  const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST
  const found = {}
  let buffer = device.createBuffer({ size: bytes, usage })
  const map = () => buffer.mapAsync(GPUMapMode.READ)
  const submit = (...products) => {
    const encoder = device.createCommandEncoder({ label: 'result' })
    for (const product of products) product.encode(encoder, times)
    encoder.copyBufferToBuffer(matmuls[0].c, offsets[0], buffer, 0, bytes)
    device.queue.submit([encoder.finish()])
  }
  const useAfterUnmap = () => {
    const range = buffer.getMappedRange()
    buffer.unmap()
    return new Float32Array(range) // in C a pointer would still point there
  }
  const asked = {
    'range-too-early': () => buffer.getMappedRange(),
    'map-twice': map,
    'submit-asked': () => submit(),
  }
  const mapped = {
    'submit-mapped': () => submit(),
    'write-mapped': () => device.queue.writeBuffer(buffer, 0, new Uint32Array(1)),
    'use-after-unmap': useAfterUnmap,
  }
  const free = {
    'range-unasked': () => buffer.getMappedRange(),
    'destroy-queued': () => [submit(), map(), buffer.destroy()][1],
    'map-queued': () => [submit(matmuls[0]), map()][1],
  }
  const tries = [...Object.entries(asked), ...Object.entries(mapped), ...Object.entries(free)]
  for (const step of lab.steps(tries.length)) {
    const [name, call] = tries[step]
    buffer.destroy()
    buffer = device.createBuffer({ label: name, size: bytes, usage })
    const before = name in free ? null : map()
    if (name in mapped) await before
    before?.catch(() => {}) // destroy() rejects what is still asked for
    found[name] = await lab.compute(name, 0, () => outcomeOf(device, call))
  }
  const row = buffer.mapState === 'mapped' ? new Float32Array(buffer.getMappedRange().slice(0)) : null
  buffer.destroy()
  return { found, row }
}

async function outcomeOf(device, call) {
  device.pushErrorScope('validation')
  let outcome = 'exception' // thrown by the call
  try {
    const given = call()
    outcome = 'rejected' // thrown by its promise
    await given
    outcome = given instanceof Promise ? 'waited' : 'let-through'
  } catch {}
  return (await device.popErrorScope()) ? 'validation' : outcome
}
