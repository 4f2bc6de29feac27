/** Rules about values that Python reads from the GPU. */
import { everySoOften, replaceMethod } from '../edits'
import { isTrue, placeIn } from '../flow/torch'
import type { Rule } from '../rule'
import { maybeTensor, readInstead } from './read-instead'
import { ASYNCHRONOUS, PINNED, SCALARS, WAITING } from './sources'

export const READS: readonly Rule[] = [
  {
    id: 'item',
    kind: 'blocks',
    title: '`.item()` waits for the GPU',
    why: '`.item()` copies the value to the host, so Python stops until the GPU has finished everything launched before it.',
    unless: 'It does not matter if the host has nothing to do afterwards: a step bound by the GPU hides it.',
    instead:
      'Keep the value on the GPU with `.detach()`, and sum it there. Read it every 50 steps if it is only reported.',
    cause: 'read-back',
    sources: SCALARS,
    on: {
      call: ({ node, method, receiver }, at) =>
        method === 'item' && node.callee.kind === 'attribute' && !at.accumulates
          ? { node, ifOnGpu: maybeTensor(receiver), asked: node.callee.object, fix: readInstead(node, at) }
          : null,
    },
    matches: [
      'if step % 100:\n    print(loss.item())',
      'total += loss.item()',
      'print(loss.item())',
      'losses.append(out.argmax(1).eq(y).sum().item())',
    ],
    misses: [
      'if step % 100 == 0:\n    print(loss.item())',
      'n = torch.ones(3).sum().item()',
      'total += loss.detach()',
      'import numpy as np\nn = np.ones(3).item()',
    ],
  },
  {
    id: 'item-per-micro-batch',
    kind: 'blocks',
    title: '`.item()` in every micro-batch waits for the GPU',
    why: 'The loop accumulates gradients over several micro-batches, and reads a number in each of them: the host stops more often than the optimizer steps.',
    unless:
      'It does not matter if a micro-batch keeps the GPU busy for longer than the host needs for the next one.',
    instead: 'Sum the losses on the GPU, and read the sum where the optimizer steps.',
    cause: 'read-back',
    sources: SCALARS,
    on: {
      call: ({ node, method, receiver }, at) =>
        method === 'item' && node.callee.kind === 'attribute' && at.accumulates
          ? { node, ifOnGpu: maybeTensor(receiver), asked: node.callee.object, fix: readInstead(node, at) }
          : null,
    },
    matches: ['total += loss.item()\nif (step + 1) % 4 == 0:\n    optimizer.step()'],
    misses: [
      'total += loss.item()\noptimizer.step()\nif step % 100 == 0:\n    scheduler.step()',
      'total += loss.detach()\nif (step + 1) % 4 == 0:\n    optimizer.step()\n    print(total.item())',
    ],
  },
  {
    id: 'python-number',
    kind: 'blocks',
    title: 'A tensor becomes a Python number: the host waits',
    why: '`float()`, `int()` and functions of `math` read the value as `.item()` does, so Python stops until the GPU has caught up.',
    unless: 'It does not matter if the host has nothing to do afterwards: a step bound by the GPU hides it.',
    instead: 'Stay with tensors (`loss.detach()`, `torch.exp`), and read a number every 50 steps.',
    cause: 'read-back',
    sources: SCALARS,
    on: {
      call: ({ node, path, args }, at) => {
        const [value] = args
        if (value?.kind !== 'tensor' || path === null) return null
        return /^(float|int|complex|round|math\.\w+)$/.test(path)
          ? { node, ifOnGpu: value, asked: node.args[0]?.value ?? node, fix: readInstead(node, at) }
          : null
      },
    },
    matches: ['total += float(loss)', 'import math\nlosses.append(math.exp(loss))', 'n = int(y.max())'],
    misses: [
      'total += float(step)',
      'n = int(x.shape[0])',
      'n = int(y.size(0))',
      'if step % 10 == 0:\n    print(float(loss))',
    ],
  },
  {
    id: 'branch',
    kind: 'blocks',
    title: 'Python branches on a tensor: the host waits',
    why: '`if`, `while`, `assert`, `and`, `or`, `not` and `bool()` need the value, so Python stops until the GPU has computed it.',
    unless: 'It does not matter if the branch saves more GPU time than the wait costs.',
    instead:
      'Decide on the GPU (`torch.where`, `torch.maximum`, a mask). If the branch only reports, check every 50 steps.',
    cause: 'read-back',
    sources: SCALARS,
    on: {
      truth: ({ node, value }, at) =>
        value.kind === 'tensor'
          ? { node, ifOnGpu: value, fix: at.statement.kind === 'while' ? [] : everySoOften(at) }
          : null,
      call: ({ node, path, args }, at) => {
        const isComparison = (path === 'max' || path === 'min') && args.length > 1
        const isTest =
          path === 'bool' ||
          path === 'any' ||
          path === 'all' ||
          path === 'torch.equal' ||
          path === 'torch.allclose'
        const value = isComparison || isTest ? args.find((each) => each.kind === 'tensor') : undefined
        return value ? { node, ifOnGpu: value, fix: everySoOften(at) } : null
      },
    },
    matches: [
      'if loss > 5:\n    print("high")',
      'assert not torch.isnan(loss)',
      'while loss > 1:\n    loss = loss / 2',
      'best = max(best, loss)',
      'if torch.isnan(loss).any():\n    print("nan")',
    ],
    misses: [
      'if "aux" in out:\n    pass',
      'if loss is None:\n    pass',
      'if x.shape[0] > 3:\n    pass',
      'if loader:\n    pass',
    ],
  },
  {
    id: 'print',
    kind: 'blocks',
    title: 'Printing a tensor reads it: the host waits',
    why: '`print` needs the values, so it copies the tensor to the host and Python stops until the GPU has caught up.',
    unless: 'It does not matter if you print every 50 steps or less often.',
    instead: 'Print every 50 steps.',
    cause: 'read-back',
    sources: [WAITING, 'https://github.com/pytorch/pytorch/blob/main/torch/_tensor_str.py'],
    on: {
      text: ({ node, value, how }, at) =>
        how === 'print' && value.kind === 'tensor' ? { node, ifOnGpu: value, fix: everySoOften(at) } : null,
    },
    matches: ['print(loss)', 'print("loss", loss, step)'],
    misses: ['print(x.shape, step)', 'if step % 50 == 0:\n    print(loss)', 'print(loss.device)'],
  },
  {
    id: 'log',
    kind: 'blocks',
    title: 'Formatting or logging a tensor reads it: the host waits',
    why: 'An f-string, `format`, `%` or a logger turns the value into text, which copies it to the host and stops Python until the GPU has caught up.',
    unless: 'It does not matter if it happens every 50 steps or less often.',
    instead: 'Log every 50 steps, or append `loss.detach()` to a list and log the values after the loop.',
    cause: 'read-back',
    sources: [WAITING, 'https://github.com/pytorch/pytorch/blob/main/torch/utils/tensorboard/_convert_np.py'],
    on: {
      text: ({ node, value, how }, at) =>
        how !== 'print' && value.kind === 'tensor' ? { node, ifOnGpu: value, fix: everySoOften(at) } : null,
      call: ({ node, path, method, args }, at) => {
        if (
          !/^(add_scalar|add_scalars|add_histogram|log_metric|log_metrics)$/.test(method ?? '') &&
          !/^(wandb|mlflow)\.log/.test(path ?? '')
        )
          return null
        const values = args.flatMap((each) => (each.kind === 'dict' ? [...each.entries.values()] : [each]))
        const value = values.find((each) => each.kind === 'tensor')
        const asked = node.args.find((_, index) => args[index] === value)?.value ?? node
        return value ? { node, ifOnGpu: value, asked, fix: everySoOften(at) } : null
      },
    },
    matches: [
      'message = f"loss {loss:.3f}"',
      'print("%f" % loss)',
      'import logging\nlogging.info("loss %s", loss)',
      'writer.add_scalar("loss", loss, step)',
      'import wandb\nwandb.log({"loss": loss})',
    ],
    misses: [
      'message = f"step {step}"',
      'if step % 50 == 0:\n    print(f"{loss:.3f}")',
      'print(f"{x.shape}")',
    ],
  },
  {
    id: 'progress-bar',
    kind: 'blocks',
    title: 'The progress bar reads a tensor: the host waits',
    why: 'tqdm formats what it is given in every iteration, which copies the tensor to the host and stops Python until the GPU has caught up.',
    unless: 'It does not matter if the step is bound by the GPU.',
    instead: 'Set the postfix every 50 steps.',
    cause: 'read-back',
    sources: ['https://tqdm.github.io/docs/tqdm/#set_postfix', WAITING],
    on: {
      call: ({ node, method, args, named }, at) => {
        if (!/^set_(postfix|description)(_str)?$/.test(method ?? '')) return null
        const given = [...args, ...named.values()].flatMap((each) =>
          each.kind === 'dict' ? [...each.entries.values()] : [each],
        )
        const value = given.find((each) => each.kind === 'tensor')
        return value ? { node, ifOnGpu: value, fix: everySoOften(at) } : null
      },
    },
    matches: [
      'from tqdm import tqdm\nbar = tqdm(loader)\nbar.set_postfix(loss=loss)',
      'bar.set_postfix({"loss": loss.detach()})',
    ],
    misses: ['bar.set_postfix(step=step)', 'if step % 50 == 0:\n    bar.set_postfix(loss=loss)'],
  },
  {
    id: 'to-list',
    kind: 'blocks',
    title: '`.tolist()` waits for the GPU',
    why: '`.tolist()` copies the tensor to the host, so Python stops until the GPU has finished everything launched before it.',
    unless: 'It does not matter if the host has nothing to do afterwards.',
    instead: 'Keep the tensor while it fits in device memory, and turn it into a list once after the loop.',
    cause: 'read-back',
    sources: [WAITING, 'https://github.com/pytorch/pytorch/blob/main/torch/csrc/utils/tensor_list.cpp'],
    on: {
      call: ({ node, method, receiver }) =>
        method === 'tolist' && node.callee.kind === 'attribute'
          ? { node, ifOnGpu: maybeTensor(receiver), asked: node.callee.object }
          : null,
    },
    matches: ['losses.extend(out.argmax(1).tolist())'],
    misses: ['n = torch.arange(3).tolist()', 'if step % 50 == 0:\n    print(out.tolist())'],
  },
  {
    id: 'to-host',
    kind: 'blocks',
    title: 'A copy to the host waits for the GPU',
    why: '`.cpu()` and `.to("cpu")` return when the data has arrived, so Python stops until the GPU has finished and copied it.',
    unless: 'It does not matter if the host has nothing to do afterwards, or needs the data now.',
    instead:
      'Scalars: keep them on the GPU (`.detach()`), and copy once after the loop. Large outputs: `.to("cpu", non_blocking=True)`, and wait for an event before you read them, some steps later.',
    cause: 'read-back',
    sources: [WAITING, PINNED],
    on: {
      call: ({ node, method, receiver, args, named }, at) => {
        if (receiver.kind !== 'tensor' || node.callee.kind !== 'attribute') return null
        const isCopy =
          method === 'cpu' || (method === 'to' && placeIn(named.get('device') ?? args[0]) === 'cpu')
        if (!isCopy || isTrue(named.get('non_blocking')) === true) return null
        // Anything larger than a loss may fill the GPU's memory when it is kept there.
        const isKept =
          at.statement.kind === 'expression' &&
          at.textOf(at.statement).includes('append(') &&
          /loss/i.test(at.textOf(node.callee.object))
        return {
          node,
          ifOnGpu: receiver,
          asked: node.callee.object,
          fix: isKept && node.to === at.statement.to - 1 ? replaceMethod(at, node, '.detach()') : [],
        }
      },
    },
    matches: ['losses.append(loss.cpu())', 'values = out.to("cpu")', 'values = out.detach().cpu().numpy()'],
    misses: [
      'values = torch.ones(3).cpu()',
      'values = out.to("cpu", non_blocking=True)',
      'if step % 50 == 0:\n    print(out.cpu())',
    ],
  },
  {
    id: 'read-too-early',
    kind: 'copies',
    title: 'The copy may not have arrived when it is read',
    why: 'A copy to the host with `non_blocking=True` returns at once, so what is read here may be the memory’s old content.',
    unless: 'It does not matter if something else has synchronized in between.',
    instead: 'Call `torch.cuda.synchronize()` (or wait for an event) before you read it, as late as you can.',
    cause: 'synchronize',
    sources: [PINNED, ASYNCHRONOUS],
    on: {
      call: ({ node, path, method, receiver, args }, at) => {
        const isRead = /^(item|tolist|numpy)$/.test(method ?? '')
        const value = isRead ? receiver : /^(print|float|int|bool)$/.test(path ?? '') ? args[0] : undefined
        if (value?.kind !== 'tensor' || value.copiedAfter === null || value.copiedAfter !== at.waits)
          return null
        const { statement, text } = at
        const start = text.lastIndexOf('\n', statement.from - 1) + 1
        const indent = text.slice(start, statement.from)
        const fix =
          indent.trim() === ''
            ? [{ from: start, to: start, text: `${indent}torch.cuda.synchronize()\n` }]
            : []
        return { node, fix }
      },
    },
    matches: ['values = out.detach().to("cpu", non_blocking=True)\narray = values.numpy()'],
    misses: [
      'values = out.detach().to("cpu", non_blocking=True)\ntorch.cuda.synchronize()\narray = values.numpy()',
      'values = out.detach().to("cpu")\narray = values.numpy()',
    ],
  },
]
