#!/usr/bin/env bash
# One large number on one span makes OpenTelemetry's JSON exporter write a request that is not OTLP.
#
# Guess:   The JSON and the protobuf exporter of one SDK write the same attribute with the same type.
# Happens: The JSON exporter writes every number without a fraction as intValue, also Number.MAX_VALUE, a usual "no
#          limit". An intValue is an int64, so a reader that follows the protobuf definition refuses the whole request
#          and loses every span in it. The protobuf exporter writes a doubleValue, and the request is read.
# Package: npm @opentelemetry/exporter-trace-otlp-http 0.223.1, @opentelemetry/exporter-trace-otlp-proto 0.223.1,
#          @opentelemetry/sdk-trace-base 2.12.1; PyPI opentelemetry-proto 1.45.2
# Other:   @opentelemetry/exporter-trace-otlp-http 0.223.0
# Seen:    2026-11-27
# Meets:   Node services that put limits, scores or byte counts on spans and export JSON.

. "$(dirname "$0")/lib/finding.bash"
npm_install @opentelemetry/exporter-trace-otlp-http@0.223.1 @opentelemetry/exporter-trace-otlp-proto@0.223.1 \
	@opentelemetry/sdk-trace-base@2.12.1
pip_install opentelemetry-proto==1.45.2

cat >finding.js <<'END'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { OTLPTraceExporter as Json } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as Proto } from '@opentelemetry/exporter-trace-otlp-proto'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

const collector = createServer(async (request, response) => {
	const body = await request.toArray()
	writeFileSync(request.headers['content-type'].replace(/.*\//, 'body.'), Buffer.concat(body))
	response.end()
})
collector.listen(0, '127.0.0.1', async () => {
	const url = `http://127.0.0.1:${collector.address().port}/v1/traces`
	for (const Exporter of [Json, Proto]) {
		const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new Exporter({ url }))] })
		provider.getTracer('t').startSpan('upload').setAttribute('limit', Number.MAX_VALUE).end()
		await provider.shutdown()
	}
	collector.close()
})
END
cat >finding.py <<'END'
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

def attribute(request):
    return str(request.resource_spans[0].scope_spans[0].spans[0].attributes[0].value).strip()

with open("body.x-protobuf", "rb") as body:
    print("protobuf:", attribute(ExportTraceServiceRequest.FromString(body.read())))
with open("body.json") as body:
    try:
        print("JSON:", attribute(json_format.Parse(body.read(), ExportTraceServiceRequest())))
    except json_format.ParseError as e:
        print("JSON:", str(e).split(" field")[0], "…", str(e).split("field: ")[-1][:18])
END
node finding.js
venv/bin/python finding.py >>seen

expect <<'END'
@opentelemetry/exporter-trace-otlp-http 0.223.1
@opentelemetry/exporter-trace-otlp-proto 0.223.1
@opentelemetry/sdk-trace-base 2.12.1
opentelemetry-proto 1.45.2
protobuf: double_value: 1.7976931348623157e+308
JSON: Failed to parse resourceSpans … Value out of range
END
