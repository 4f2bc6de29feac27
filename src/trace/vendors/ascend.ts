/**
 * Ascend: `trace_view.json` of torch_npu and msprof. Only processes and names say what an event is.
 */
import { CALL, COPY, DEVICE_SYNC, MEMSET, type Vendor } from './vendor'

export const ascend: Vendor = {
  name: 'Ascend',
  categories: { privateuse1_runtime: CALL, privateuse1_driver: CALL },
  // The second is from an operator to the same work.
  arrows: ['HostToDevice', 'async_npu'],
  call: /^(?:AscendCL|Runtime|Node|Model|HCCL|Hccl)@|^aclrt[A-Z]/,
  calls: [
    { name: /^(?:AscendCL@)?aclrtSynchronizeDevice/, use: 'wait-device' },
    { name: /^(?:AscendCL@)?aclrtSynchronizeStream/, use: 'wait-stream' },
    { name: /^(?:AscendCL@)?aclrtSynchronizeEvent/, use: 'wait-event' },
    { name: /^(?:AscendCL@)?aclrtMemcpy$/, use: 'blocking-copy' },
    { name: /^Node@launch|^(?:AscendCL@)?aclrtLaunch/, use: 'launch' },
    { name: /^(?:AscendCL@)?aclrtFree/, use: 'free' },
    { name: /^(?:AscendCL@)?aclrtMalloc/, use: 'allocation' },
    { name: /^(?:AscendCL@)?aclrtRecordEvent/, use: 'record-event' },
  ],
  devices: [{ process: /^Ascend Hardware/, work: /^Stream\b/ }],
  work: [
    [/^(?:MEMCPY|SDMA)/i, COPY],
    [/^MEMSET/i, MEMSET],
    [/^(?:EVENT|NOTIFY|CAPTURE)_(?:WAIT|RECORD|RESET)/i, DEVICE_SYNC],
  ],
}
