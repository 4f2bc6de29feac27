// PlayCanvas: the same 300 boxes, on its device for WebGPU.
import * as pc from 'playcanvas'
import { boxes, checkPixels, colors, EDGE, FRAMES, makeCanvas, pixelsOf, turn, VIEW } from './boxes.js'

const canvas = makeCanvas()
const device = await pc.createGraphicsDevice(canvas, {
  deviceTypes: [pc.DEVICETYPE_WEBGPU],
  antialias: false,
})
if (!device.isWebGPU) throw new Error('PlayCanvas took WebGL')
const options = new pc.AppOptions()
options.graphicsDevice = device
options.componentSystems = [pc.CameraComponentSystem, pc.RenderComponentSystem]
const app = new pc.AppBase(canvas)
app.init(options)

const camera = new pc.Entity()
camera.addComponent('camera', {
  fov: VIEW.degrees,
  nearClip: VIEW.near,
  farClip: VIEW.far,
  clearColor: new pc.Color(0, 0, 0, 0),
})
camera.setPosition(0, 0, VIEW.distance)
app.root.addChild(camera)
const half = EDGE / 2
const mesh = pc.Mesh.fromGeometry(device, new pc.BoxGeometry({ halfExtents: new pc.Vec3(half, half, half) }))
const materials = colors.map((color) => {
  const material = new pc.StandardMaterial()
  material.useLighting = false
  material.diffuse = new pc.Color(0, 0, 0)
  material.emissive = new pc.Color(...color)
  material.update()
  return material
})
const entities = boxes.map(({ column, x, y }) => {
  const entity = new pc.Entity()
  entity.addComponent('render', { meshInstances: [new pc.MeshInstance(mesh, materials[column])] })
  entity.setLocalPosition(x, y, 0)
  app.root.addChild(entity)
  return entity
})

const degrees = 180 / Math.PI
let frame = 0
app.on('update', () => {
  for (const [index, entity] of entities.entries()) {
    const [x, y] = turn(index, frame)
    entity.setLocalEulerAngles(x * degrees, y * degrees, 0)
  }
  frame += 1
})
const pixels = await new Promise((done) => {
  app.on('frameend', () => {
    if (frame !== FRAMES) return
    app.autoRender = false
    done(pixelsOf(canvas))
  })
  app.start()
})
checkPixels(pixels)
