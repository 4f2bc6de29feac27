// Found: a canvas of 1024² is copied to a texture in each step. Changed: once before them.
export const steps = 16

export default function make({ device, kernel, submit, pacer }) {
  const work = kernel(1)
  const pace = pacer()
  const size = [1024, 1024]
  const { TEXTURE_BINDING, COPY_DST, RENDER_ATTACHMENT } = GPUTextureUsage
  const usage = TEXTURE_BINDING | COPY_DST | RENDER_ATTACHMENT
  const texture = device.createTexture({ size, format: 'rgba8unorm', usage })
  const source = new OffscreenCanvas(...size)
  source.getContext('2d').fillRect(0, 0, 512, 512)
  const copy = () => device.queue.copyExternalImageToTexture({ source }, { texture }, size)
  copy()
  return {
    async found() {
      copy()
      submit(work)
      await pace()
    },
    async changed() {
      submit(work)
      await pace()
    },
  }
}
