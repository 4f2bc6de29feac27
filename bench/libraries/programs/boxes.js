// What both engines draw: 300 boxes of one geometry and 20 colours, each turned anew in every frame.
const COUNT = 300
const ROW = 20
export const SIZE = 512
export const FRAMES = 120
export const EDGE = 0.6
/** A camera's vertical field of view in degrees, its distance, and where its view begins and ends. */
export const VIEW = { degrees: 60, distance: 16, near: 0.1, far: 100 }

export const colors = Array.from({ length: ROW }, (_, column) => [
  column / (ROW - 1),
  1 - column / (ROW - 1),
  0.5,
])
export const boxes = Array.from({ length: COUNT }, (_, index) => ({
  column: index % ROW,
  x: (index % ROW) - (ROW - 1) / 2,
  y: Math.floor(index / ROW) - (COUNT / ROW - 1) / 2,
}))
/** Of one box in one frame, about x and y, in radians. */
export const turn = (index, frame) => [(frame + index) / 10, (frame + index) / 7]

/** '?texture': in place of a canvas, which a browser's software adapter does not live through, one texture. Engines see no difference. */
const inTexture = new URL(location.href).searchParams.has('texture')

class TextureInPlace {
  constructor(canvas) {
    this.canvas = canvas
  }
  configure(configuration) {
    this.configuration = configuration
    this.texture = null
  }
  getConfiguration() {
    return this.configuration
  }
  unconfigure() {}
  getCurrentTexture() {
    const { device, format, viewFormats = [], usage = GPUTextureUsage.RENDER_ATTACHMENT } = this.configuration
    this.texture ??= device.createTexture({
      size: [SIZE, SIZE],
      format,
      viewFormats,
      usage: usage | GPUTextureUsage.COPY_SRC,
    })
    return this.texture
  }
  async read() {
    const { device } = this.configuration
    const { COPY_DST, MAP_READ } = GPUBufferUsage
    const buffer = device.createBuffer({ size: SIZE * SIZE * 4, usage: COPY_DST | MAP_READ })
    const encoder = device.createCommandEncoder()
    encoder.copyTextureToBuffer({ texture: this.texture }, { buffer, bytesPerRow: SIZE * 4 }, [SIZE, SIZE])
    device.queue.submit([encoder.finish()])
    await buffer.mapAsync(GPUMapMode.READ)
    return new Uint8Array(buffer.getMappedRange())
  }
}

export function makeCanvas() {
  const canvas = document.body.appendChild(document.createElement('canvas'))
  canvas.width = SIZE
  canvas.height = SIZE
  if (inTexture) {
    const inPlace = new TextureInPlace(canvas)
    canvas.getContext = (kind) => (kind === 'webgpu' ? inPlace : null)
  }
  return canvas
}

/** Called in the task that drew: a canvas is empty in the next. */
export async function pixelsOf(canvas) {
  if (inTexture) return await canvas.getContext('webgpu').read()
  const context = new OffscreenCanvas(SIZE, SIZE).getContext('2d')
  context.drawImage(canvas, 0, 0)
  return context.getImageData(0, 0, SIZE, SIZE).data
}

/** As many colours as there are columns, and boxes on neither nearly all nor nearly none of the picture. */
export function checkPixels(pixels) {
  const counts = new Map()
  for (let at = 0; at < SIZE * SIZE * 4; at += 4) {
    const color = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2]
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const covered = 1 - (counts.get(0) ?? 0) / (SIZE * SIZE)
  const many = [...counts].filter(([color, count]) => color !== 0 && count > SIZE).length
  const said = `boxes on ${(covered * 100).toFixed(1)} % of ${SIZE} × ${SIZE} pixels, in ${many} colours`
  if (many < ROW || covered < 0.1 || covered > 0.9) throw new Error(said)
  globalThis.ended(said)
}
