import assert from 'node:assert/strict'
import { join } from 'node:path'
import { needTools, run } from '../tools.ts'
import { accountIn, has, send } from './server.ts'

const MAX_MIB = 200

/** Options that also work without systemd and with both versions of cgroups, unlike some of Podman's defaults. */
const everywhere = ['--storage-driver', 'vfs', '--runtime', 'runc', '--cgroup-manager', 'cgroupfs']

/** An archive, and the version of the server in it. */
export interface Image {
  file: string
  version: string
}

/**
 * Loads the images, then runs the previous and the new one on the same volume, with a read-only root and no
 * capabilities.
 *
 * @param folder - an empty folder for images, containers and volumes
 * @param port - a free port of this machine, whose network the containers share
 */
export async function checkImage(previous: Image, image: Image, folder: string, port: number): Promise<void> {
  needTools('podman')
  const places = [
    '--root',
    join(folder, 'root'),
    '--runroot',
    join(folder, 'run'),
    '--volumepath',
    join(folder, 'volumes'),
  ]
  const podman = (...args: string[]): string => run('podman', [...everywhere, ...places, ...args])
  for (const { file } of [previous, image]) podman('load', '--quiet', '--input', file)
  const nameOf = ({ version }: Image) => `localhost/chat-server:${version}`
  const containers: string[] = []
  const url = `http://127.0.0.1:${port}`
  const serve = async (image: Image) => {
    const hardened = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges']
    const settings = ['--env', 'CHAT_HOST=127.0.0.1', '--env', `CHAT_PORT=${port}`, '--volume', 'data:/data']
    const began = performance.now()
    const shared = [
      '--network=host',
      '--ulimit=nofile=1024:1024',
      '--ulimit=nproc=4096:4096',
      '--health-interval=disable',
    ]
    const id = podman('run', '--detach', ...shared, ...hardened, ...settings, nameOf(image))
      .split('\n')
      .at(-1)!
    containers.push(id)
    await ready(url)
    return { id, milliseconds: Math.round(performance.now() - began) }
  }
  const end = (id: string) => {
    podman('stop', id)
    assert.equal(podman('inspect', '--format', '{{.State.ExitCode}}', id), '0')
    podman('rm', id)
    containers.splice(containers.indexOf(id), 1)
  }
  try {
    const mib = Number(podman('image', 'inspect', '--format', '{{.Size}}', nameOf(image))) / 2 ** 20
    assert.ok(mib < MAX_MIB, `the image has ${mib} MiB unpacked`)
    const first = await serve(previous)
    const account = accountIn(podman('logs', first.id))!
    await send(url, account, 'first')
    podman('healthcheck', 'run', first.id)
    podman('restart', first.id)
    await ready(url)
    await has(url, account, 'first')
    assert.equal(podman('exec', first.id, 'chat-server', '--version'), previous.version)
    end(first.id)
    const second = await serve(image)
    await has(url, account, 'first')
    await send(url, account, 'second')
    assert.equal(podman('exec', second.id, 'chat-server', '--version'), image.version)
    assert.match(podman('exec', second.id, 'chat-server', 'doctor'), /sharp creates thumbnails/)
    podman('healthcheck', 'run', second.id)
    end(second.id)
    assert.equal(podman('volume', 'ls', '--quiet'), 'data')
    console.log(
      `ok  image: ${Math.round(mib)} MiB unpacked, answers after ${second.milliseconds} ms, upgrades, is healthy`,
    )
  } finally {
    for (const id of containers) podman('rm', '--force', id)
  }
}

/** Waits until the server answers. Throws after a minute. */
async function ready(url: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (
    !(await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (performance.now() > deadline) throw new Error('the container does not answer')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
