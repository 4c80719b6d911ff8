import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.validation.constraints.*;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.time.*;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** The constructs of Java: records, whose name is the tool's, with arguments. The rest are the types of members. */
class Kinds {
    @Retention(RetentionPolicy.RUNTIME)
    @interface With {
        String value();
    }

    enum Color { RED, DARK_BLUE }

    enum Shown {
        @JsonProperty("dark-blue") DARK_BLUE, @JsonProperty("red") RED
    }

    enum Level {
        LOW(1), HIGH(2);

        private final int number;

        Level(int number) {
            this.number = number;
        }

        @JsonValue
        int number() {
            return number;
        }
    }

    record Inner(int c) {}

    record Outer(String a, Inner b) {}

    record Tree(String name, List<Tree> children) {}

    record Pair<A, B>(A first, B second) {}

    record Wrapped(@JsonValue String text) {
        @JsonCreator
        Wrapped {}
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(value = Cat.class, name = "cat"), @JsonSubTypes.Type(value = Dog.class, name = "dog")})
    sealed interface Pet permits Cat, Dog {}

    record Cat(int lives) implements Pet {}

    record Dog(String name) implements Pet {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
    @JsonSubTypes({@JsonSubTypes.Type(value = Circle.class, name = "circle"), @JsonSubTypes.Type(value = Square.class, name = "square")})
    interface Shape {}

    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
    @JsonSubTypes({@JsonSubTypes.Type(Circle2.class), @JsonSubTypes.Type(Square2.class)})
    interface Deduced {}

    record Circle2(double radius) implements Deduced {}

    record Square2(double side) implements Deduced {}

    static class Bean {
        private String a;
        public int b = 7;

        public String getA() {
            return a;
        }

        public void setA(String a) {
            this.a = a;
        }
    }

    static class Open {
        public String a;
        @JsonIgnore
        public final Map<String, Object> rest = new LinkedHashMap<>();

        @JsonAnyGetter
        public Map<String, Object> rest() {
            return rest;
        }

        @JsonAnySetter
        public void put(String name, Object value) {
            rest.put(name, value);
        }
    }

    @With("{'value': 'open'}") record string(String value) {}
    @With("{'value': null}") record string_null(String value) {}
    @With("{}") record string_absent(String value) {}
    @With("{'value': 'open'}") record char_sequence(CharSequence value) {}
    @With("{'value': 'a'}") record character(char value) {}
    @With("{'value': true}") record bool(boolean value) {}
    @With("{'value': true}") record bool_boxed(Boolean value) {}
    @With("{'value': -7}") record byte_(byte value) {}
    @With("{'value': -7}") record short_(short value) {}
    @With("{'value': -7}") record int_(int value) {}
    @With("{'value': 7}") record int_boxed(Integer value) {}
    @With("{'value': 9223372036854775807}") record long_(long value) {}
    @With("{'value': 9007199254740993}") record long_of_2_53(long value) {}
    @With("{'value': 1.5}") record float_(float value) {}
    @With("{'value': 1.5}") record double_(double value) {}
    @With("{'value': 2}") record double_whole(double value) {}
    @With("{'value': 18446744073709551616}") record big_integer(BigInteger value) {}
    @With("{'value': 1.25}") record big_decimal(BigDecimal value) {}
    @With("{'value': 1.5}") record number(Number value) {}
    @With("{'value': 7}") record atomic(AtomicInteger value) {}
    @With("{'value': {'a': [1, 'b']}}") record any(Object value) {}
    @With("{'value': {'a': [1, null]}}") record json_node(JsonNode value) {}
    @With("{'value': 'a'}") record optional(Optional<String> value) {}
    @With("{'value': 7}") record optional_int(OptionalInt value) {}
    @With("{}") record absent_left_out(@JsonInclude(JsonInclude.Include.NON_NULL) String value) {}

    @With("{'value': '2026-11-27T10:30:00Z'}") record instant(Instant value) {}
    @With("{'value': '2026-11-27T10:30:00+01:00'}") record offset_date_time(OffsetDateTime value) {}
    @With("{'value': '2026-11-27T10:30:00Z'}") record zoned_date_time(ZonedDateTime value) {}
    @With("{'value': '2026-11-27T10:30:00'}") record local_date_time(LocalDateTime value) {}
    @With("{'value': '2026-11-27'}") record local_date(LocalDate value) {}
    @With("{'value': '10:30:00'}") record local_time(LocalTime value) {}
    @With("{'value': '2026-11-27T10:30:00Z'}") record date(Date value) {}
    @With("{'value': 'PT1H'}") record duration(Duration value) {}
    @With("{'value': 'P1D'}") record period(Period value) {}
    @With("{'value': 'FRIDAY'}") record weekday(DayOfWeek value) {}
    @With("{'value': 'Europe/Lisbon'}") record zone(ZoneId value) {}
    @With("{'value': '27.11.2026'}") record date_formatted(@JsonFormat(pattern = "dd.MM.yyyy") LocalDate value) {}
    @With("{'value': '0197f3a2-5b1c-7c3e-8d4f-1a2b3c4d5e6f'}") record uuid(UUID value) {}
    @With("{'value': 'https://example.com/a?b=c'}") record uri(URI value) {}
    @With("{'value': 'https://example.com/'}") record url(URL value) {}
    @With("{'value': 'a/b.md'}") record path(Path value) {}
    @With("{'value': '^a+$'}") record pattern(Pattern value) {}
    @With("{'value': 'pt-PT'}") record locale(Locale value) {}
    @With("{'value': 'EUR'}") record currency(Currency value) {}
    @With("{'value': 'aGk='}") record bytes(byte[] value) {}

    @With("{'value': ['a', 'b']}") record list(List<String> value) {}
    @With("{'value': []}") record list_empty(List<String> value) {}
    @With("{'value': [[1.5], [2.5]]}") record list_of_lists(List<List<Double>> value) {}
    @With("{'value': [{'c': 1}]}") record list_of_records(List<Inner> value) {}
    @With("{'value': [1, 'a', null]}") record list_of_any(List<Object> value) {}
    @With("{'value': [1, 'a']}") record list_raw(List value) {}
    @With("{'value': [1, 2]}") record array(int[] value) {}
    @With("{'value': [{'c': 1}]}") record array_of_records(Inner[] value) {}
    @With("{'value': ['a']}") record set(Set<String> value) {}
    @With("{'value': ['RED']}") record enum_set(EnumSet<Color> value) {}
    @With("{'value': [1]}") record collection(Collection<Integer> value) {}
    @With("{'value': {'a': 1}}") record map(Map<String, Integer> value) {}
    @With("{'value': {'a': [1]}}") record map_of_any(Map<String, Object> value) {}
    @With("{'value': {'a': {'c': 1}}}") record map_of_records(Map<String, Inner> value) {}
    @With("{'value': {'1': 'a'}}") record map_by_int(Map<Integer, String> value) {}
    @With("{'value': {'RED': 1}}") record map_by_enum(EnumMap<Color, Integer> value) {}

    @With("{'value': 'RED'}") record enum_(Color value) {}
    @With("{'value': 'dark-blue'}") record enum_renamed(Shown value) {}
    @With("{'value': 2}") record enum_of_numbers(Level value) {}
    @With("{'value': {'a': 'x', 'b': {'c': 1}}}") record record_(Outer value) {}
    @With("{'a': 'x', 'b': {'c': 1}}") record record_root(String a, Inner b) {}
    @With("{'a': {'c': 1}, 'b': {'c': 2}}") record record_twice(Inner a, Inner b) {}
    @With("{}") record record_empty() {}
    @With("{'value': {'a': 'x', 'b': 7}}") record bean(Bean value) {}
    @With("{'value': {'a': 'x', 'b': 1}}") record bean_open(Open value) {}
    @With("{'value': {'first': 'a', 'second': 1}}") record generic(Pair<String, Integer> value) {}
    @With("{'value': {'name': 'a', 'children': [{'name': 'b', 'children': []}]}}") record recursive(Tree value) {}
    @With("{'name': 'a', 'next': {'name': 'b', 'next': null}}") record recursive_root(String name, recursive_root next) {}
    @With("{'value': 'a'}") record value_of_one(Wrapped value) {}
    @With("{'value': {'kind': 'cat', 'lives': 9}}") record sealed_(Pet value) {}
    @With("{'value': [{'kind': 'dog', 'name': 'Rex'}]}") record list_of_sealed(List<Pet> value) {}
    @With("{'value': {'circle': {'radius': 1.5}}}") record subtypes_wrapped(Shape value) {}
    @With("{'value': {'side': 1.5}}") record subtypes_deduced(Deduced value) {}

    @With("{'userId': 7}") record renamed(@JsonProperty("userId") int user) {}
    @With("{'name': 'a'}") record alias(@JsonAlias("title") String name) {}
    @With("{'user_id': 7}") @JsonNaming(SnakeCaseStrategy.class) record naming(int userId) {}
    @With("{'value': 'a'}") record required(@JsonProperty(required = true) String value) {}
    @With("{'value': 'a'}") record described(@JsonPropertyDescription("the name") String value) {}
    @With("{'value': 'a'}") @JsonClassDescription("A thing.") record described_class(String value) {}
    @With("{}") record default_value(@JsonProperty(defaultValue = "a") String value) {}
    @With("{'a': 'x'}") record ignored(String a, @JsonIgnore String b) {}
    @With("{'a': 'x'}") record read_only(String a, @JsonProperty(access = JsonProperty.Access.READ_ONLY) String b) {}
    @With("{'a': 'x', 'b': 'y'}") record write_only(String a, @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String b) {}
    @With("{'a': 'x', 'c': 1}") record unwrapped(String a, @JsonUnwrapped Inner b) {}
    @With("{'b': 1, 'a': 'x'}") @JsonPropertyOrder({"b", "a"}) record ordered(String a, int b) {}
    @With("{'value': '[1]'}") record raw(@JsonRawValue String value) {}
    @With("{'value': '7'}") record number_as_text(@JsonFormat(shape = JsonFormat.Shape.STRING) int value) {}

    @With("{'value': 'abc'}") record size(@Size(min = 1, max = 9) String value) {}
    @With("{'value': [1]}") record size_of_list(@Size(min = 1, max = 3) List<Integer> value) {}
    @With("{'value': 'abc-12'}") record regex(@jakarta.validation.constraints.Pattern(regexp = "^[a-z]+-\\d{2}$") String value) {}
    @With("{'value': 50}") record min_max(@Min(1) @Max(100) int value) {}
    @With("{'value': 0.5}") record decimal_min_max(@DecimalMin(value = "0", inclusive = false) @DecimalMax("1") double value) {}
    @With("{'value': 1}") record positive(@Positive int value) {}
    @With("{'value': -1}") record negative(@NegativeOrZero int value) {}
    @With("{'value': 1.25}") record digits(@Digits(integer = 3, fraction = 2) BigDecimal value) {}
    @With("{'value': 'a'}") record not_null(@NotNull String value) {}
    @With("{'value': 'a'}") record not_blank(@NotBlank String value) {}
    @With("{'value': ['a']}") record not_empty(@NotEmpty List<@NotBlank String> value) {}
    @With("{'value': 'ada@example.com'}") record email(@Email String value) {}
    @With("{'value': null}") record null_(@Null String value) {}
    @With("{'value': true}") record assert_true(@AssertTrue boolean value) {}
}
