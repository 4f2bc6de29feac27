// three.js: 300 boxes, by its renderer for WebGPU.
import * as THREE from 'three/webgpu'
import { boxes, checkPixels, colors, EDGE, FRAMES, makeCanvas, pixelsOf, SIZE, turn, VIEW } from './boxes.js'

const renderer = new THREE.WebGPURenderer({ canvas: makeCanvas(), antialias: false })
await renderer.init()
if (!renderer.backend.isWebGPUBackend) throw new Error('three.js took WebGL')
renderer.setSize(SIZE, SIZE)

const scene = new THREE.Scene()
const camera = new THREE.PerspectiveCamera(VIEW.degrees, 1, VIEW.near, VIEW.far)
camera.position.z = VIEW.distance
const geometry = new THREE.BoxGeometry(EDGE, EDGE, EDGE)
const materials = colors.map((color) => new THREE.MeshBasicMaterial({ color: new THREE.Color(...color) }))
const meshes = boxes.map(({ column, x, y }) => {
  const mesh = new THREE.Mesh(geometry, materials[column])
  mesh.position.set(x, y, 0)
  scene.add(mesh)
  return mesh
})

for (let frame = 0; frame < FRAMES; frame += 1) {
  await new Promise((next) => requestAnimationFrame(next))
  for (const [index, mesh] of meshes.entries()) [mesh.rotation.x, mesh.rotation.y] = turn(index, frame)
  renderer.render(scene, camera)
}
checkPixels(await pixelsOf(renderer.domElement))
