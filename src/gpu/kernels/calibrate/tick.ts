/** The smallest dispatch there is: what the host sees of it is the way there and back. */
import text from '../../../../shaders/calibrate/tick.wgsl?raw'
import { unmetRequirement, packUniforms, type Kernel } from '../kernel'
import { joinSource } from '../source'

export interface TickShape {
  /** The u32 that is written; 1 if not given. */
  readonly mark?: number
}

const FILE = 'shaders/calibrate/tick.wgsl'

/** The output needs 4 bytes. */
export const tickKernel: Kernel<TickShape> = {
  id: 'tick',
  label: 'calibrate/tick',
  file: FILE,
  source: joinSource([{ file: FILE, text }]),
  bindings: ['params', 'marks'],
  entryPoint: () => 'main',
  constants: () => ({}),
  uniforms: ({ mark = 1 }) => packUniforms([['u32', mark]]),
  workgroups: () => [1, 1, 1],
  flops: () => 0,
  bytes: () => 4,
  supports: (device) => unmetRequirement(device, { invocations: 1, storageBytes: 0, workgroups: [1, 1, 1] }),
}
