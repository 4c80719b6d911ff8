import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.module.jackson.JacksonOption;
import com.github.victools.jsonschema.module.jackson.JacksonSchemaModule;
import com.github.victools.jsonschema.module.jakarta.validation.JakartaValidationModule;
import com.github.victools.jsonschema.module.jakarta.validation.JakartaValidationOption;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The generator of the Java SDK, which takes schemas and makes none. These are of victools, with its modules for
 * Jackson and for Jakarta's validation, as Spring AI makes them.
 *
 * <p>serve: a server over stdio with a tool for each construct. cases: the constructs, with arguments, as JSON.
 * client COMMAND ARG…: a client of the SDK lists, and makes the calls that stdin has.
 */
public class Generator {
    static final JsonMapper JSON = JsonMapper.builder().enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();
    static final Map<String, Object> NOTHING = Map.of("type", "object", "properties", Map.of());

    record Construct(String tool, Map<String, Object> arguments, Type input, Type output,
            Function<Map<String, Object>, Object> result) {}

    record Case(String tool, Map<String, Object> arguments) {}

    /** The records of Kinds, each with its input as output, and the functions of Results. */
    static List<Construct> constructs() {
        var all = new ArrayList<Construct>();
        for (var kind : Kinds.class.getDeclaredClasses()) {
            if (kind.isAnnotationPresent(Kinds.With.class)) {
                var arguments = object(kind.getAnnotation(Kinds.With.class).value());
                all.add(new Construct(kind.getSimpleName(), arguments, kind, kind, in -> JSON.convertValue(in, kind)));
            }
        }
        for (var function : Results.class.getDeclaredMethods()) {
            if (!function.isSynthetic()) {
                all.add(new Construct(function.getName(), Map.of(), null, function.getGenericReturnType(), in -> {
                    try {
                        return function.invoke(null);
                    } catch (ReflectiveOperationException e) {
                        throw new IllegalStateException(e);
                    }
                }));
            }
        }
        all.sort(Comparator.comparing(Construct::tool));
        return all;
    }

    static Map<String, Object> object(String text) {
        return JSON.readValue(text, new TypeReference<LinkedHashMap<String, Object>>() {});
    }

    static final SchemaGenerator SCHEMAS = new SchemaGenerator(
            new SchemaGeneratorConfigBuilder(SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
                    .with(new JacksonSchemaModule(JacksonOption.RESPECT_JSONPROPERTY_REQUIRED,
                            JacksonOption.FLATTENED_ENUMS_FROM_JSONPROPERTY, JacksonOption.FLATTENED_ENUMS_FROM_JSONVALUE))
                    .with(new JakartaValidationModule(JakartaValidationOption.NOT_NULLABLE_FIELD_IS_REQUIRED,
                            JakartaValidationOption.INCLUDE_PATTERN_EXPRESSIONS))
                    .with(Option.EXTRA_OPEN_API_FORMAT_VALUES, Option.PLAIN_DEFINITION_KEYS)
                    .build());

    static Map<String, Object> schema(Type type) {
        return object(SCHEMAS.generateSchema(type).toString());
    }

    static SyncToolSpecification specification(Construct c) {
        var tool = Tool.builder(c.tool, c.input == null ? NOTHING : schema(c.input))
                .description("Returns " + c.tool + ".")
                .outputSchema(schema(c.output));
        return new SyncToolSpecification(tool.build(), (exchange, request) -> CallToolResult.builder()
                .structuredContent(c.result.apply(request.arguments()))
                .build());
    }

    /** Splits off the constructs that no tool can be made of, with the reason. */
    static List<SyncToolSpecification> published(List<Case> cases, Map<String, String> left) {
        var tools = new ArrayList<SyncToolSpecification>();
        for (var c : constructs()) {
            try {
                tools.add(specification(c));
                cases.add(new Case(c.tool, c.arguments));
            } catch (RuntimeException e) {
                left.put(c.tool, String.valueOf(e.getMessage()));
            }
        }
        return tools;
    }

    static Map<String, Object> client(String command, String... args) {
        var parameters = ServerParameters.builder(command).args(args).env(System.getenv()).build();
        var said = new LinkedHashMap<String, Object>();
        var results = new LinkedHashMap<String, Object>();
        var transport = new StdioClientTransport(parameters, McpJsonDefaults.getMapper());
        try (var client = McpClient.sync(transport)
                .initializationTimeout(Duration.ofMinutes(2)) // the machine may be busy
                .requestTimeout(Duration.ofMinutes(2))
                .build()) {
            client.initialize();
            try {
                said.put("tools", client.listTools().tools());
            } catch (RuntimeException e) {
                said.put("error", e.getMessage());
            }
            for (var call : JSON.readValue(System.in, Case[].class)) {
                try {
                    results.put(call.tool, client.callTool(CallToolRequest.builder(call.tool).arguments(call.arguments).build()));
                } catch (RuntimeException e) {
                    results.put(call.tool, Map.of("error", String.valueOf(e.getMessage())));
                }
            }
        }
        said.put("results", results);
        return said;
    }

    public static void main(String... args) throws Exception {
        var cases = new ArrayList<Case>();
        var left = new TreeMap<String, String>();
        switch (args[0]) {
            case "serve" -> McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper()))
                    .serverInfo("generator", "1")
                    .capabilities(ServerCapabilities.builder().tools(false).build())
                    .tools(published(cases, left))
                    .build();
            case "cases" -> {
                published(cases, left);
                System.out.println(JSON.writeValueAsString(Map.of("cases", cases, "left", left)));
            }
            default -> {
                var said = client(args[1], Arrays.copyOfRange(args, 2, args.length));
                System.out.println(McpJsonDefaults.getMapper().writeValueAsString(said));
            }
        }
    }
}
