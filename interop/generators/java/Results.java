import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results of tools without arguments, by the tool's name. */
class Results {
    record At(Instant at) {}

    record Naive(LocalDateTime at) {}

    record Text(String text) {}

    record Bytes(byte[] bytes) {}

    record Big(long big) {}

    record Number(double number) {}

    static List<String> output_list() {
        return List.of("a", "b");
    }

    static List<String> output_empty_list() {
        return List.of();
    }

    static List<Kinds.Inner> output_list_of_records() {
        return List.of(new Kinds.Inner(1));
    }

    static String output_string() {
        return "a";
    }

    static int output_int() {
        return 7;
    }

    static double output_double() {
        return 2.0;
    }

    static boolean output_bool() {
        return true;
    }

    static Kinds.Outer output_record() {
        return new Kinds.Outer("x", new Kinds.Inner(1));
    }

    static Kinds.Outer output_record_of_null() {
        return new Kinds.Outer("x", null);
    }

    static Kinds.Color output_enum() {
        return Kinds.Color.DARK_BLUE;
    }

    static Kinds.Pet output_sealed() {
        return new Kinds.Dog("Rex");
    }

    static Map<String, Integer> output_map() {
        return Map.of("a", 1);
    }

    static Map<String, Object> output_map_of_null() {
        return Collections.singletonMap("a", null);
    }

    static Optional<Kinds.Inner> output_optional() {
        return Optional.of(new Kinds.Inner(1));
    }

    static Object output_any() {
        return Map.of("a", List.of(1));
    }

    static Object output_any_list() {
        return List.of(1, "a");
    }

    static Object output_null() {
        return null;
    }

    static At output_instant() {
        return new At(Instant.EPOCH);
    }

    static Naive output_local_date_time() {
        return new Naive(LocalDateTime.of(2026, 11, 27, 10, 30));
    }

    static Text output_unicode() {
        return new Text("h\u00e9 \ud83d\ude42");
    }

    static Bytes output_bytes() {
        return new Bytes(new byte[] {104, 105});
    }

    static Big output_big_int() {
        return new Big(9007199254740993L);
    }

    static Number output_double_whole() {
        return new Number(2.0);
    }

    static Number output_not_a_number() {
        return new Number(Double.NaN);
    }

    static Kinds.Tree output_recursive() {
        return new Kinds.Tree("a", List.of());
    }
}
