/** CUDA, by Kineto and by PyTorch's own CUPTI monitor; older releases wrote other categories. */
import {
  CALL,
  copyAs,
  COPY,
  DEVICE_RANGE,
  DEVICE_SYNC,
  KERNEL,
  MEMSET,
  OPERATOR,
  USER_RANGE,
  type Vendor,
} from './vendor'

export const cuda: Vendor = {
  name: 'CUDA',
  categories: {
    kernel: KERNEL,
    gpu_memcpy: COPY,
    memcpy: COPY,
    gpu_memset: MEMSET,
    memset: MEMSET,
    cuda_sync: DEVICE_SYNC,
    cuda_event: DEVICE_SYNC,
    gpu_user_annotation: DEVICE_RANGE,
    cuda_runtime: CALL,
    cuda_driver: CALL,
    runtime: CALL,
    cpu_op: OPERATOR,
    operator: OPERATOR,
    python_function: OPERATOR,
    user_annotation: USER_RANGE,
  },
  arrows: ['ac2g', 'async_gpu', 'async_cpu_to_gpu'],
  call: /^(?:cuda|cu)[A-Z]/,
  calls: [
    { name: /^(?:cuda|cu)(?:Device|Ctx|Thread)Synchronize/, use: 'wait-device' },
    { name: /^(?:cuda|cu)StreamSynchronize/, use: 'wait-stream' },
    { name: /^(?:cuda|cu)EventSynchronize/, use: 'wait-event' },
    {
      name: /^(?:cudaMemcpy(?:2D|3D)?(?:To|From)?(?:Array|Symbol)?|cuMemcpy(?:HtoD|DtoH|DtoD|2D|3D)?)(?:_v\d+)?(?:_ptds)?$/,
      use: 'blocking-copy',
      brings: 'one',
    },
    { name: /^(?:cuda|cu)LaunchHostFunc/, use: 'launch' },
    { name: /^(?:cuda|cu)GraphLaunch/, use: 'launch', brings: 'many' },
    { name: /^(?:cuda|cu)Launch/, use: 'launch', brings: 'one' },
    { name: /^(?:cuda|cu)Mem(?:cpy|set)/, use: 'other', brings: 'one' },
    {
      name: /^cuda(?:Free|HostUnregister)|^cuMem(?:Unmap|Release|Free)/,
      use: 'free',
    },
    {
      name: /^cuda(?:Malloc|HostAlloc|HostRegister|MemPool|DeviceGetMemPool)|^cuMem(?:Create|Map|Alloc|AddressReserve|SetAccess)/,
      use: 'allocation',
    },
    { name: /^(?:cuda|cu)EventRecord/, use: 'record-event' },
    { name: /^(?:cuda|cu)StreamBeginCapture/, use: 'capture-begin' },
    { name: /^(?:cuda|cu)StreamEndCapture/, use: 'capture-end' },
  ],
  // The CUPTI monitor calls every copy 'Memcpy'; which way it goes is in its arguments.
  copyName: (name, { kind, from, to }) => (name === 'Memcpy' ? copyAs(kind, from, to) : null),
}
