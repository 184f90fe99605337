import { once } from 'node:events';
import { causeText } from '../../core/errors.ts';
import { fleetMetrics } from '../../fleet/metrics.ts';
import { openFleetView } from '../../fleet/view.ts';
import { HttpError, listen, pathOf } from '../../serve/http.ts';
import { createSystemClock } from '../../system/clock.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { stoppable } from '../terminal/stop.ts';

export interface MetricsRequest {
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly json?: boolean;
}

/** Tells Prometheus about a fleet until it is stopped. */
export async function metrics(output: Output, request: MetricsRequest): Promise<ExitCode> {
  const { address, host, port, json = false } = request;
  const view = await openFleetView(address, createSystemClock());
  try {
    const server = await listen(
      async (message, response) => {
        if (pathOf(message) !== '/metrics') throw new HttpError(404, 'There is nothing here. Look at /metrics.');
        const text = fleetMetrics(await view.look());
        response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
        response.end(text);
      },
      { host, port, onFault: cause => output.note(causeText(cause)) },
    );
    if (json) output.json({ url: `${server.url}/metrics` });
    else output.line(`Prometheus finds the fleet at ${output.paint.bold(`${server.url}/metrics`)}`);
    await stoppable(output, async ({ signal }) => {
      if (!signal.aborted) await once(signal, 'abort');
      await server.close(AbortSignal.timeout(1000));
    });
    return 0;
  } finally {
    await view.close();
  }
}
