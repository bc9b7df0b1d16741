package dev.rowlock.support;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/** Loader of a second copy of the program and its tests, in which each method of the program notes that it runs. */
public final class RanClasses extends ClassLoader {

    private static final Set<String> RAN = new ConcurrentSkipListSet<>();

    public RanClasses() {
        super(RanClasses.class.getClassLoader());
    }

    /** Called by each method. */
    public static void ran(String type) {
        RAN.add(type);
    }

    /** Runs something of the copy, and returns the top-level classes of the program that ran meanwhile. */
    public static Set<String> during(Runnable something) {
        RAN.clear();
        something.run();
        return new TreeSet<>(RAN);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("dev.rowlock.") || name.equals(RanClasses.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? copied(name) : loaded;
        }
    }

    private Class<?> copied(String name) throws ClassNotFoundException {
        URL place = getParent().getResource(name.replace('.', '/') + ".class");
        if (place == null) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream in = place.openStream()) {
            byte[] code = in.readAllBytes();
            byte[] copy =
                    place.getPath().contains("/test-classes/") ? code : noting(code, name.replaceAll("\\$.*", ""));
            return defineClass(name, copy, 0, copy.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static byte[] noting(byte[] code, String type) {
        ClassReader reader = new ClassReader(code);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        return new MethodVisitor(
                                Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
                            @Override
                            public void visitCode() {
                                super.visitCode();
                                visitLdcInsn(type);
                                visitMethodInsn(
                                        Opcodes.INVOKESTATIC,
                                        Type.getInternalName(RanClasses.class),
                                        "ran",
                                        "(Ljava/lang/String;)V",
                                        false);
                            }
                        };
                    }
                },
                0);
        return writer.toByteArray();
    }
}
