/**
 * ROCm, by roctracer and rocprofiler-sdk. Its files have CUDA's categories; only the calls differ.
 */
import type { Vendor } from './vendor'

export const rocm: Vendor = {
  name: 'ROCm',
  categories: {},
  call: /^(?:__)?(?:hip|hsa|roc)[A-Z_]/,
  calls: [
    { name: /^hip(?:Device|Ctx)Synchronize/, use: 'wait-device' },
    { name: /^hipStreamSynchronize/, use: 'wait-stream' },
    { name: /^hipEventSynchronize/, use: 'wait-event' },
    {
      // PyTorch reads a value back by hipMemcpyWithStream, which returns when the bytes are there.
      name: /^hipMemcpy(?:WithStream|(?:2D|3D)?(?:To|From)?(?:Array|Symbol)?|(?:HtoD|DtoH|DtoD))(?:_spt)?$/,
      use: 'blocking-copy',
      brings: 'one',
    },
    { name: /^hipLaunchHostFunc/, use: 'launch' },
    { name: /^hipGraphLaunch/, use: 'launch', brings: 'many' },
    { name: /^hip(?:Ext|Hcc)?(?:Module)?Launch/, use: 'launch', brings: 'one' },
    { name: /^hipMem(?:cpy|set)/, use: 'other', brings: 'one' },
    { name: /^hip(?:Free|HostFree|HostUnregister)|^hipMem(?:Unmap|Release)/, use: 'free' },
    {
      name: /^hip(?:Malloc|HostMalloc|HostAlloc|HostRegister|MemPool|ExtMalloc)|^hipMem(?:Create|Map|Alloc|AddressReserve|SetAccess)/,
      use: 'allocation',
    },
    { name: /^hipEventRecord/, use: 'record-event' },
    { name: /^hipStreamBeginCapture/, use: 'capture-begin' },
    { name: /^hipStreamEndCapture/, use: 'capture-end' },
  ],
}
